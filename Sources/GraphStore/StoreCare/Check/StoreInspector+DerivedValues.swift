import GraphStoreModel

extension StoreInspector {
  /// Derived values that are other ones than their derivations yield; those that Core Data keeps are its own.
  func derivedValues(_ name: String) throws -> [StoreCheckFinding] {
    try derivedColumns().compactMap { values in
      let changes = try values.changes(keys: nil)
      let root = values.column.column.table.root
      var sample = Sample(count: changes.count)
      sample.objects = changes.prefix(StoreCheckFinding.objectLimit).map {
        self.name($0.key, number: $0.entityNumber, root: root)
      }
      return sample.finding(
        .derivedValue, of: name, at: "\(values.column.derived.attribute)", noun: "row",
        what: "with a value that is not the derived one")
    }
  }

  /// The columns of derived attributes whose values can be computed from the store's contents.
  func derivedColumns() -> [SQLiteDerivedValues] {
    guard metadata.isOurs else { return [] }
    let layout = ModelLayout(schema.stored)
    let data =
      metadata.hasExternalPrefixes ? ExternalDataTable(folder: ExternalDataFolder(besideStoreAt: path)) : nil
    return layout.derivedAttributes.compactMap { derived in
      guard let column = SQLDerivedColumn(derived, in: schema, SQLiteDialect()), isSound(column.column.table)
      else {
        return nil
      }
      return SQLiteDerivedValues(
        column: column, connection: connection, layout: layout.entities[derived.entity.index], schema: schema,
        externalData: data)
    }
  }
}
