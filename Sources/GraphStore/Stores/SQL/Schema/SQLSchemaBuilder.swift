import GraphStoreModel

/// Works out names, columns and storage of a schema.
struct SQLSchemaBuilder {
  /// Tables that every store has, or that stores of Core Data have.
  private static let reservedTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  let model: ManagedObjectModel
  let existingTables: Set<String>
  var entities: [SQLEntity] = []
  var tables: [SQLTable] = []
  var joinTables: [SQLJoinTable] = []
  /// The entities in the order of their numbers.
  var ordered: [SQLEntity] = []
  /// Storage by declaring entity's index and property's number.
  var declared: [PropertyDescription: SQLPropertyStorage] = [:]
  var tableNames = SQLNameSpace(reserved: Self.reservedTables)

  init(model: ManagedObjectModel, numbers: [Int], existingTables: Set<String>) {
    self.model = model
    self.existingTables = existingTables
    entities = zip(model.entities, numbers).map { SQLEntity(entity: $0, number: $1) }
    ordered = entities.sorted { $0.number < $1.number }
  }

  mutating func build() {
    makeTables()
    for table in tables { makeColumns(of: table) }
    makeToManyInverses()
    makeJoinTables()
    for entity in entities { finish(entity) }
  }

  private mutating func makeTables() {
    for root in ordered where root.entity.superentity == nil {
      let table = SQLTable(name: tableNames.claim("Z" + SQLName.stem(root.entity.name)), root: root)
      tables.append(table)
      let family = root.entity.family
      for member in family {
        entities[member.index].tableReference = table
        entities[member.index].sharesTable = family.count > 1
      }
    }
    for entity in entities {
      entity.familyNumbers = entity.entity.family.map { entities[$0.index].number }.sorted()
    }
  }

  /// A to-many relationship with a to-one inverse lies in the inverse's columns.
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
    let columns = entity.table.columns
    entity.ownAndInheritedColumns = columns.filter { entity.entity.isKind(of: $0.entity.entity) }
    entity.familyColumns = columns.filter {
      entity.entity.isKind(of: $0.entity.entity) || $0.entity.entity.isKind(of: entity.entity)
    }
  }
}
