import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Attributes of an entity whose values a history keeps of deleted records: by name in the columns
/// `ZTOMBSTONE0`, `ZTOMBSTONE1` and so on, in the form that their own columns have.
struct HistoryTombstones: Sendable {
  /// By place the columns in the table of the entity, those of the elements of a composite attribute one by
  /// one; nil for an attribute that the model does not have.
  let columns: [SQLColumn?]

  /// - Parameter paths: The paths of the attributes by place, as the file has them.
  init(_ entity: SQLEntity, _ paths: [String]) {
    let known = entity.columns(includingSubentities: false).filter { $0.attribute != nil && !$0.isExternal }
    let byPath = Dictionary(known.map { (Self.path($0), $0) }) { first, _ in first }
    columns = paths.map { byPath[$0] }
  }

  /// The columns of the attributes that an entity keeps values of. Values that may be stored outside of the
  /// database are left out.
  static func kept(_ entity: SQLEntity) -> [SQLColumn] {
    let preserved = entity.columns(includingSubentities: false).filter { column in
      (column.property as? AttributeDescription)?.preservesValueInHistory == true && !column.isExternal
    }
    return preserved.sorted { left, right in
      left.property === right.property
        ? left.index < right.index : SQLName.precedes(left.property.name, right.property.name)
    }
  }

  static func path(_ column: SQLColumn) -> String {
    ([column.property.name] + column.elements.map(\.name)).joined(separator: ".")
  }

  /// The values that the columns of a change hold, by the names of the attributes.
  ///
  /// A change may have been written under a model that kept other attributes: values that cannot be of the
  /// attribute in their place are left out.
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
      guard let column, let attribute = column.attribute, statement.canHold(attribute.type, at: first + place)
      else {
        continue
      }
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

extension SQLiteStatement {
  /// Whether a column has no value, or one in a form that the values of an attribute have.
  fileprivate func canHold(_ attribute: AttributeType, at column: Int) -> Bool {
    let form = type(at: column)
    if form == .null { return true }
    return switch attribute {
    case .string, .uri: form == .text
    case .uuid: unsafe form == .blob && blob(at: column).count == 16
    case .binary, .transformable: form == .blob
    case .int16, .int32, .int64, .boolean: form == .integer
    case .double, .float, .date: form == .real || form == .integer
    case .decimal: true
    case .composite, .undefined: false
    }
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
