import GraphStoreModel
import GraphStoreSQLite

extension RepairTransaction {
  /// Adds the prefix to values with external storage that an earlier version has written. All at once: from
  /// then on the store is read with prefixes.
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

  /// Computes derived values anew that are not those of their derivations. A value that cannot be computed
  /// keeps nothing else from being mended.
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

extension RepairTransaction {
  /// Sets values to nil that are none of their property's type, only of the properties that the caller has
  /// named: what was meant is not known, and a row with some of them cannot be read.
  ///
  /// - Throws: `unknown-entity`, `unknown-key`; ``SQLiteError``.
  mutating func clearMisfits() throws {
    for name in cleared {
      let (entity, property) = try named(name)
      guard inspector.isSound(entity.table) else { continue }
      for (condition, columns) in misfits(of: property, entity) {
        try update(
          entity.table, check: "values", subject: name,
          where: inspector.all("(\(condition))", inspector.belongs("s", to: entity)),
          set: columns.map { "\($0.quotedName) = NULL" }
        ) { "set \(Self.number($0, "value")) to nil" }
      }
    }
  }

  /// The rows that have a misfit, and the columns that are set to nil in them.
  private func misfits(
    of property: PropertyDescription, _ entity: SQLEntity
  ) -> [(condition: String, columns: [SQLColumn])] {
    switch entity.storage(of: property) {
    case .attribute(let column): [(inspector.misfit(column), [column])]
    case .toOne(let key, let tag, let order):
      [(inspector.misfit(key) + " OR " + noKey(key), [key, tag, order].compactMap(\.self))]
    case .none, .toManyInverse, .joinTable:
      entity.table.columns.filter { !$0.elements.isEmpty && $0.property === property }.map {
        (inspector.misfit($0), [$0])
      }
    }
  }

  private func noKey(_ column: SQLColumn) -> String {
    let keys = StoredKey.keys
    return "s.\(column.quotedName) NOT BETWEEN \(keys.lowerBound) AND \(keys.upperBound)"
  }

  /// The property of a name such as `Employee.salary`.
  private func named(_ name: String) throws -> (SQLEntity, PropertyDescription) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let entity = schema.stored.model.entitiesByName[parts[0]], schema.entity(entity).isHeld else {
      throw GraphStoreError(
        .unknownEntity, "The store has no entity \(parts[0]).",
        remedy: "Name properties as check does, such as Employee.salary.", entity: parts[0])
    }
    guard parts.count > 1, let property = entity.property(named: parts[1]) else {
      let missing = parts.dropFirst().joined(separator: ".")
      throw GraphStoreError(
        .unknownKey, "\(parts[0]) has no property \"\(missing)\".",
        remedy: "Name properties as check does, such as Employee.salary.", entity: parts[0], property: missing
      )
    }
    return (schema.entity(entity), property)
  }
}
