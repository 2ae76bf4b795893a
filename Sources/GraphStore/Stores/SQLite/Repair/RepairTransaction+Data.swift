import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Gives values with external storage that an earlier version has written their prefix. All at once: from then on the
  /// store is read with prefixes.
  mutating func mendExternalPrefixes() throws {
    var metadata = inspector.metadata
    guard !metadata.hasExternalPrefixes else { return }
    let columns = try inspector.externalColumnsWithValues()
    guard !columns.isEmpty else { return }
    for (column, count) in columns {
      let (table, name) = (column.table.quotedName, column.quotedName)
      try connection.execute(
        "UPDATE \(table) SET \(name) = CAST(x'01' || \(name) AS BLOB) WHERE \(name) IS NOT NULL")
      note(
        "external data", "\(column.attribute ?? column.property)", count: count,
        "give \(Self.number(count, "value")) the prefix that external storage asks for")
    }
    metadata.values[StoreMetadata.Key.externalData] = .int(1)
    try SQLiteLayout.writeMetadata(connection, metadata)
  }

  /// Computes derived values anew that are not those of their derivations. What cannot be computed keeps nothing else from
  /// being mended.
  mutating func mendDerivedValues() throws {
    for values in inspector.derivedColumns() {
      guard let changes = try? values.changes(keys: nil), !changes.isEmpty else { continue }
      try attempt { repair in
        try values.write(changes)
        let objects = changes.prefix(StoreCheckFinding.objectLimit).map {
          repair.inspector.name($0.key, number: $0.entityNumber, root: values.column.column.table.root)
        }
        repair.note(
          "derived values", "\(values.column.derived.attribute)", count: changes.count, objects: objects,
          "compute \(Self.number(changes.count, "value")) anew")
      }
    }
  }
}
