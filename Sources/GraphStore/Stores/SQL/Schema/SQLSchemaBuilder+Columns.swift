import GraphStoreModel

extension SQLSchemaBuilder {
  /// Names the columns of a table, entity by entity and property by property, then brings them into the order
  /// of CREATE TABLE (STO-234).
  ///
  /// - Parameters:
  ///   - family: The entities of the table, in the order of their numbers.
  ///   - owned: The relationships whose members' rows reference the owner, by the entities they lead to.
  package mutating func makeColumns(
    of table: SQLTable, family: [SQLEntity], owned: [EntityDescription: [RelationshipDescription]]
  ) {
    var names = SQLNameSpace(naming, reserved: naming.systemColumns.all + naming.reservedColumns)
    var groups: [[SQLColumn]] = Array(repeating: [], count: Group.allCases.count)
    for entity in family {
      var keys: [SQLColumn] = []
      var orders: [(list: String, column: SQLColumn)] = []
      for property in sortedByName(entity.entity.ownProperties) where hasPlace(property) {
        if let attribute = property as? AttributeDescription, let kind = SQLColumn.Kind(attribute.type) {
          let name = names.claim(naming.column(of: [attribute]))
          let column = SQLColumn(name: name, kind: kind, property: property, entity: entity, table: table)
          declared[property] = .attribute(column)
          groups[Group(kind).rawValue].append(column)
        } else if let composite = property as? AttributeDescription {
          for column in elementColumns(of: composite, [], entity: entity, table: table, names: &names) {
            groups[Group(column.kind).rawValue].append(column)
          }
        } else if let relationship = property as? RelationshipDescription, !relationship.isToMany {
          let columns = makeToOne(relationship, entity: entity, table: table, names: &names)
          keys += columns.keys
          if let order = columns.order { orders.append(order) }
        }
      }
      for relationship in owned[entity.entity] ?? [] {
        let columns = makeOwner(relationship, member: entity, table: table, names: &names)
        keys.append(columns.key)
        if let order = columns.order { orders.append((relationship.name, order)) }
      }
      groups[Group.numbers.rawValue] += keys
      // Where an entity has several, those of the ordered lists with the greatest names are first.
      groups[Group.orders.rawValue] += orders.sorted { SQLName.precedes($1.list, $0.list) }.map(\.column)
    }
    table.setColumns(groups.flatMap { $0 })
  }

  /// A column for each element of a composite attribute, nested ones too (STO-247).
  private func elementColumns(
    of composite: AttributeDescription, _ path: [AttributeDescription], entity: SQLEntity,
    table: SQLTable, names: inout SQLNameSpace
  ) -> [SQLColumn] {
    var columns: [SQLColumn] = []
    let elements = (path.last ?? composite).elements
    for element in elements.sorted(by: { SQLName.precedes($0.name, $1.name) }) {
      let path = path + [element]
      guard let kind = SQLColumn.Kind(element.type) else {
        columns += elementColumns(of: composite, path, entity: entity, table: table, names: &names)
        continue
      }
      columns.append(
        SQLColumn(
          name: names.claim(naming.column(of: [composite] + path)), kind: kind, property: composite,
          elements: path, entity: entity,
          table: table))
    }
    return columns
  }

  private mutating func makeToOne(
    _ relationship: RelationshipDescription, entity: SQLEntity, table: SQLTable,
    names: inout SQLNameSpace
  ) -> (keys: [SQLColumn], order: (list: String, column: SQLColumn)?) {
    let destination = relationship.destination
    let wanted = naming.columns(
      ofToOne: relationship, root: entities[destination.rootEntity.index].namingNumber)
    let list = relationship.inverse.flatMap { $0.isToMany && $0.isOrdered ? $0 : nil }
    var kinds: [(name: String, kind: SQLColumn.Kind)] = [(wanted.key, .toOneKey)]
    if !destination.subentities.isEmpty { kinds.append((wanted.entity, .toOneEntity)) }
    if list != nil { kinds.append((wanted.place, .orderKey)) }
    let columns = zip(names.claim(kinds.map(\.name)), kinds).map { name, wanted in
      SQLColumn(name: name, kind: wanted.kind, property: relationship, entity: entity, table: table)
    }
    let key = columns[0]
    let tag = columns.first { $0.kind == .toOneEntity }
    let order = list.flatMap { list in
      columns.first { $0.kind == .orderKey }.map { (list: list.name, column: $0) }
    }
    declared[relationship] = .toOne(key: key, entity: tag, order: order?.column)
    return ([key] + (tag.map { [$0] } ?? []), order)
  }

  /// The to-many relationships without inverse that are stored in the table of their members, by the entities
  /// they lead to.
  package func relationshipsInMembers() -> [EntityDescription: [RelationshipDescription]] {
    var found: [EntityDescription: [RelationshipDescription]] = [:]
    for entity in ordered {
      // Most entities have none: only those that are found are sorted.
      let properties = entity.entity.ownProperties.filter { isInMembers($0, of: entity) }
      for case let relationship as RelationshipDescription in sortedByName(properties) {
        found[relationship.destination, default: []].append(relationship)
      }
    }
    return found
  }

  private func isInMembers(_ property: PropertyDescription, of entity: SQLEntity) -> Bool {
    guard let relationship = property as? RelationshipDescription, relationship.isToMany,
      relationship.inverse == nil
    else { return false }
    return hasPlace(relationship) && !isInPairs(relationship, of: entity)
  }

  /// Whether a to-many relationship without inverse has a table of pairs, as stores of earlier versions have.
  private func isInPairs(_ relationship: RelationshipDescription, of entity: SQLEntity) -> Bool {
    paired.contains(relationship)
      || existingTables.havePairColumn(
        naming.ownerColumn(ofPairs: relationship, .oneWay, owner: entity.namingNumber))
  }

  private mutating func makeOwner(
    _ relationship: RelationshipDescription, member: SQLEntity, table: SQLTable, names: inout SQLNameSpace
  ) -> SQLOwnerColumns {
    let owner = entities[relationship.entity.index]
    let wanted = naming.columns(ofOwner: relationship, owner: owner.namingNumber)
    let claimed = names.claim([wanted.key] + (relationship.isOrdered ? [wanted.place] : []))
    func column(_ name: String, _ kind: SQLColumn.Kind) -> SQLColumn {
      SQLColumn(name: name, kind: kind, property: relationship, entity: member, table: table)
    }
    let columns = SQLOwnerColumns(
      relationship: relationship, owner: owner, key: column(claimed[0], .ownerKey),
      order: relationship.isOrdered ? column(claimed[1], .orderKey) : nil)
    declared[relationship] = .toManyInverse(foreignKey: columns.key, order: columns.order)
    ownerColumns.append(columns)
    return columns
  }

  package func sortedByName(_ properties: some Sequence<PropertyDescription>) -> [PropertyDescription] {
    properties.sorted { SQLName.precedes($0.name, $1.name) }
  }

  /// The groups of columns in the order of CREATE TABLE.
  private enum Group: Int, CaseIterable {
    case numbers
    case orders
    case reals
    case strings
    case uris
    case uuids
    case transformables
    case binaries

    init(_ kind: SQLColumn.Kind) {
      switch kind {
      case .integer, .boolean, .toOneKey, .toOneEntity, .ownerKey: self = .numbers
      case .orderKey: self = .orders
      case .float, .double, .decimal, .date: self = .reals
      case .string: self = .strings
      case .uri: self = .uris
      case .uuid: self = .uuids
      case .transformable: self = .transformables
      case .binary: self = .binaries
      }
    }
  }
}

extension SQLColumn.Kind {
  /// The column kind of an attribute's values; nil for types that have no column of their own.
  package init?(_ type: AttributeType) {
    switch type {
    case .int16, .int32, .int64: self = .integer
    case .boolean: self = .boolean
    case .float: self = .float
    case .double: self = .double
    case .decimal: self = .decimal
    case .date: self = .date
    case .string: self = .string
    case .uri: self = .uri
    case .uuid: self = .uuid
    case .transformable: self = .transformable
    case .binary: self = .binary
    case .composite, .undefined: return nil
    }
  }
}
