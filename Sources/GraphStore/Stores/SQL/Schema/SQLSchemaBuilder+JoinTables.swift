import GraphStoreModel

extension SQLSchemaBuilder {
  /// Names the tables of pairs and their columns (STO-251 to STO-256).
  package mutating func makeJoinTables() {
    let columns = joinColumnNames()
    for entity in ordered {
      for property in sortedByName(entity.entity.ownProperties) where hasPlace(property) {
        guard let relationship = property as? RelationshipDescription, relationship.isToMany else { continue }
        if let inverse = relationship.inverse {
          guard inverse.isToMany else { continue }
          if inverse === relationship {
            makeReflexive(relationship, entity)
          } else if owner(relationship, inverse) === relationship {
            makePair(relationship, inverse: inverse, columns: columns)
          }
        } else if declared[relationship] == nil {
          makeOneWay(relationship, entity)
        }
      }
    }
  }

  /// The name of the column that points to the entity declaring `inverse`, by `relationship`, which leads to
  /// it.
  ///
  /// Two relationships of one name that lead to one entity would give one name; the entity's own
  /// relationships, in the order of their names, decide which of them has no suffix. Core Data decides
  /// otherwise at times: the names that a store has take precedence.
  private func joinColumnNames() -> [RelationshipDescription: String] {
    var names: [RelationshipDescription: String] = [:]
    for entity in ordered {
      var taken = SQLNameSpace(naming)
      for property in sortedByName(entity.entity.ownProperties) where hasPlace(property) {
        guard let back = property as? RelationshipDescription, back.isManyToMany, let inverse = back.inverse,
          inverse !== back
        else { continue }
        let name = naming.memberColumn(ofPairs: inverse, .pair, member: entity.namingNumber)
        names[inverse] = naming.distinguishesPairColumns ? taken.claim(name) : name
      }
    }
    return names
  }

  /// The end that names the table: that of the lower number; within one entity that of the first name, unless
  /// the store has a table named by the other.
  private func owner(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription
  ) -> RelationshipDescription {
    let numbers = (
      entities[relationship.entity.index].namingNumber, entities[inverse.entity.index].namingNumber
    )
    if numbers.0 != numbers.1 { return numbers.0 < numbers.1 ? relationship : inverse }
    let isFirst = SQLName.precedes(relationship.name, inverse.name)
    let (first, second) = isFirst ? (relationship, inverse) : (inverse, relationship)
    func name(_ end: RelationshipDescription) -> String { naming.table(ofPairs: end, owner: numbers.0) }
    let present = existingTables.names
    return present.contains(name(second)) && !present.contains(name(first)) ? second : first
  }

  private mutating func makePair(
    _ relationship: RelationshipDescription, inverse: RelationshipDescription,
    columns: [RelationshipDescription: String]
  ) {
    let source = entities[relationship.entity.index]
    let destination = entities[inverse.entity.index]
    let name = tableNames.claim(naming.table(ofPairs: relationship, owner: source.namingNumber))
    let stems = (
      source: naming.ownerColumn(ofPairs: relationship, .pair, owner: source.namingNumber),
      destination: naming.memberColumn(ofPairs: relationship, .pair, member: destination.namingNumber)
    )
    let (toSource, toDestination) =
      naming.distinguishesPairColumns
      ? presentColumns(of: name, stems: stems, otherwise: (columns[inverse], columns[relationship]))
      : distinct(stems.source, stems.destination)
    var names = SQLNameSpace(naming, reserved: [toSource, toDestination])
    let table = SQLJoinTable(
      name: name, form: .pair, relationship: relationship, source: toSource, destination: toDestination,
      destinationOrder: place(of: relationship, toDestination, in: &names),
      sourceOrder: place(of: inverse, toSource, in: &names), sourceEntity: source,
      destinationEntity: destination)
    joinTables.append(table)
    declared[relationship] = .joinTable(
      table, source: toSource, destination: toDestination, order: table.destinationOrder)
    declared[inverse] = .joinTable(
      table, source: toDestination, destination: toSource, order: table.sourceOrder)
  }

  /// The columns of a table of pairs as the store has them, where only one fits each end; else as they are
  /// named in a new store.
  ///
  /// - Parameters:
  ///   - stems: The names without suffix, of the column that points to the owner and of the other.
  ///   - names: Those of a new store.
  private func presentColumns(
    of table: String, stems: (source: String, destination: String),
    otherwise names: (source: String?, destination: String?)
  ) -> (source: String, destination: String) {
    let names = (source: names.source ?? stems.source, destination: names.destination ?? stems.destination)
    let present = existingTables.pairColumns[table] ?? []
    func fitting(_ stem: String) -> [String] {
      present.filter { name in
        name.hasPrefix(stem) && name.utf8.dropFirst(stem.utf8.count).allSatisfy { (0x30...0x39).contains($0) }
      }
    }
    let (sources, destinations) = (fitting(stems.source), fitting(stems.destination))
    guard sources.count == 1, destinations.count == 1, sources != destinations else { return names }
    return (sources[0], destinations[0])
  }

  private mutating func makeOneWay(_ relationship: RelationshipDescription, _ entity: SQLEntity) {
    add(
      relationship, form: .oneWay, entity: entity,
      destination: entities[relationship.destination.index])
  }

  private mutating func makeReflexive(_ relationship: RelationshipDescription, _ entity: SQLEntity) {
    add(relationship, form: .reflexive, entity: entity, destination: entity)
  }

  private mutating func add(
    _ relationship: RelationshipDescription, form: SQLJoinTable.Form, entity: SQLEntity,
    destination: SQLEntity
  ) {
    let number = entity.namingNumber
    let (source, destinationColumn) = distinct(
      naming.ownerColumn(ofPairs: relationship, form, owner: number),
      naming.memberColumn(ofPairs: relationship, form, member: destination.namingNumber))
    var names = SQLNameSpace(naming, reserved: [source, destinationColumn])
    let order = place(of: relationship, destinationColumn, in: &names)
    let table = SQLJoinTable(
      name: tableNames.claim(naming.table(ofPairs: relationship, owner: number)), form: form,
      relationship: relationship, source: source, destination: destinationColumn, destinationOrder: order,
      sourceOrder: nil, sourceEntity: entity, destinationEntity: destination)
    joinTables.append(table)
    declared[relationship] = .joinTable(table, source: source, destination: destinationColumn, order: order)
  }

  /// The names of two columns of one table.
  private func distinct(_ source: String, _ destination: String) -> (source: String, destination: String) {
    var names = SQLNameSpace(naming)
    return (names.claim(source), names.claim(destination))
  }

  /// The name of the column of the places of a relationship's members; nil where they have no order.
  private func place(
    of relationship: RelationshipDescription, _ member: String, in names: inout SQLNameSpace
  ) -> String? {
    relationship.isOrdered ? names.claim(naming.placeColumn(ofPairs: relationship, member: member)) : nil
  }
}
