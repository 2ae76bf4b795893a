import GraphStoreModel

/// Works out names, columns and storage of a schema.
package struct SQLSchemaBuilder {
  package let stored: StoredEntities
  package let existingTables: ExistingTables
  /// To-many relationships without inverse that are to have a table of pairs in a new store.
  package let paired: Set<RelationshipDescription>
  package let naming: any SQLNaming
  package var entities: [SQLEntity] = []
  package var tables: [SQLTable] = []
  package var joinTables: [SQLJoinTable] = []
  package var ownerColumns: [SQLOwnerColumns] = []
  /// Placeholders for tables of entities that the store does not hold; they have no columns.
  package var absentTables: [SQLTable] = []
  /// The entities that the store holds, in the order of their numbers, ancestors first.
  package var ordered: [SQLEntity] = []
  /// Storage by declaring entity's index and property's number.
  package var declared: [PropertyDescription: SQLPropertyStorage] = [:]
  package var tableNames: SQLNameSpace

  package init(
    _ stored: StoredEntities, numbers: [Int], existingTables: ExistingTables,
    paired: Set<RelationshipDescription> = [], naming: any SQLNaming
  ) {
    self.stored = stored
    self.existingTables = existingTables
    self.paired = paired
    self.naming = naming
    tableNames = SQLNameSpace(naming, reserved: naming.reservedTables + [naming.keyCounter.table])
    entities = zip(stored.model.entities, numbers).map { SQLEntity(entity: $0, number: $1) }
    for entity in entities {
      entity.familyNumbers = entity.entity.family.map { [entities] in entities[$0.index].number }
        .filter { $0 > 0 }.sorted()
      entity.namingNumber = entity.number > 0 ? entity.number : entity.familyNumbers.first ?? 0
    }
    ordered = entities.filter(\.isHeld).sorted { left, right in
      left.namingNumber != right.namingNumber
        ? left.namingNumber < right.namingNumber : left !== right && right.entity.isKind(of: left.entity)
    }
  }

  package mutating func build() {
    makeTables()
    let families = Dictionary(grouping: ordered) { $0.entity.rootEntity.index }
    let owned = relationshipsInMembers()
    for table in tables {
      makeColumns(of: table, family: families[table.root.entity.index] ?? [], owned: owned)
    }
    makeToManyInverses()
    makeJoinTables()
    for entity in entities { finish(entity) }
  }

  private mutating func makeTables() {
    for root in ordered where root.entity.superentity == nil {
      let table = SQLTable(name: tableNames.claim(naming.table(of: root.entity)), root: root)
      tables.append(table)
      assign(table, to: root)
    }
    for root in entities where root.entity.superentity == nil && !root.isHeld {
      let table = SQLTable(name: naming.table(of: root.entity), root: root)
      absentTables.append(table)
      assign(table, to: root)
    }
  }

  private func assign(_ table: SQLTable, to root: SQLEntity) {
    for member in root.entity.family {
      entities[member.index].tableReference = table
      entities[member.index].sharesTable = root.familyNumbers.count > 1
    }
  }

  /// Whether the store has a column for a property: a relationship needs possible destinations.
  package func hasPlace(_ property: PropertyDescription) -> Bool {
    guard !property.isTransient else { return false }
    return (property as? RelationshipDescription).map { stored.holds($0.destination) } ?? true
  }

  /// A to-many relationship with a to-one inverse is stored in the inverse's columns.
  private mutating func makeToManyInverses() {
    for entity in ordered {
      for case let relationship as RelationshipDescription in entity.entity.ownProperties {
        guard relationship.isToMany, let inverse = relationship.inverse, !inverse.isToMany,
          case .toOne(let key, _, let order)? = declared[inverse]
        else { continue }
        declared[relationship] = .toManyInverse(foreignKey: key, order: order)
      }
    }
  }

  private func finish(_ entity: SQLEntity) {
    entity.storage = entity.entity.properties.map { declared[$0] ?? .none }
    // The columns that a store of Core Data has for composites are not known.
    let columns = entity.table.columns.filter {
      !$0.isOfOwner && ($0.elements.isEmpty || !stored.leavesOutForeignForms)
    }
    entity.ownAndInheritedColumns = columns.filter { entity.entity.isKind(of: $0.entity.entity) }
    entity.familyColumns = columns.filter {
      entity.entity.isKind(of: $0.entity.entity) || $0.entity.entity.isKind(of: entity.entity)
    }
  }
}
