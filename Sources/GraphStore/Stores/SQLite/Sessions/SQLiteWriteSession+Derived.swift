import Foundation
import GraphStoreModel
import GraphStorePredicates

extension SQLiteWriteSession {
  func storeDerivedValues(
    of derived: DerivedAttribute, keys: [Int64]?, date: Date
  ) throws -> [DerivedValue] {
    guard case .attribute(let column) = schema.entity(derived.entity).storage(of: derived.attribute) else {
      return []
    }
    let root = derived.entity.rootEntity.index
    if case .save = derived.source {
      let keys = keys ?? []
      try run(
        "UPDATE \(column.table.quotedName) SET \(column.quotedName) = ?1"
          + " WHERE Z_PK IN (SELECT value FROM json_each(?2))",
        [.double(date.timeIntervalSinceReferenceDate), .text(Self.list(keys))]
      ) { try $0.run() }
      return keys.map { DerivedValue(root: root, key: $0, attribute: derived.attribute, value: .date(date)) }
    }
    guard let computed = store.derivedColumns.first(where: { $0.derived.attribute === derived.attribute })
    else {
      return []
    }
    return try reporting {
      let values = SQLiteDerivedValues(
        column: computed, connection: connection, layout: layout.entities[derived.entity.index],
        schema: schema,
        externalData: store.externalStorage.isPrefixed ? store.externalDataTable : nil)
      let changes = try values.changes(keys: keys)
      try values.write(changes)
      return changes.map {
        DerivedValue(root: root, key: $0.key, attribute: derived.attribute, value: $0.value)
      }
    }
  }
}
