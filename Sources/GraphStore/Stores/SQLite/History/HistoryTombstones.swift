import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Attributes of an entity whose values a history keeps of deleted records: by name in the columns
/// `ZTOMBSTONE0`, `ZTOMBSTONE1` and so on, in the form that their own columns have.
struct HistoryTombstones: Sendable {
  /// The columns in the table of the entity, those of the elements of a composite attribute one by one.
  let columns: [SQLColumn]

  /// Values that may be stored outside of the database are left out.
  init(_ entity: SQLEntity) {
    let preserved = entity.columns(includingSubentities: false).filter { column in
      (column.property as? AttributeDescription)?.preservesValueInHistory == true && !column.isExternal
    }
    columns = preserved.sorted { left, right in
      left.property === right.property
        ? left.index < right.index : SQLName.precedes(left.property.name, right.property.name)
    }
  }

  /// The values that the columns of a change hold, by the names of the attributes.
  ///
  /// - Parameters:
  ///   - first: The position of the first of the columns in the statement.
  ///   - count: The number of the columns that the file has.
  func values(
    in statement: SQLiteStatement, from first: Int, count: Int, scope: StoreIdentity
  ) -> [String: Value]? {
    if columns.isEmpty { return nil }
    var values: [String: Value] = [:]
    for (place, column) in columns.enumerated() where place < count {
      guard let attribute = column.attribute else { continue }
      var collector = ValueCollector(scope)
      if !statement.isNull(at: first + place) {
        statement.visit(attribute.type, at: first + place, &collector)
      }
      if column.elements.isEmpty {
        values[attribute.name] = collector.value
      } else {
        let path = column.elements.map(\.name)
        values[column.property.name, default: .dictionary([:])].set(collector.value, at: path[...])
      }
    }
    return values
  }
}

extension Value {
  /// Sets a value of a dictionary of dictionaries.
  fileprivate mutating func set(_ value: Value, at path: ArraySlice<String>) {
    guard let name = path.first else { return self = value }
    var values: [String: Value] = [:]
    if case .dictionary(let present) = self { values = present }
    values[name, default: .dictionary([:])].set(value, at: path.dropFirst())
    self = .dictionary(values)
  }
}
