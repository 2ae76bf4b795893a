import GraphStoreModel

extension SQLSchemaBuilder {
  /// Names the tables of pairs and their columns (STO-251 to STO-256).
  mutating func makeJoinTables() {
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
        } else {
          makeOneWay(relationship, entity)
        }
      }
    }
  }

  /// The name of the column that points to the entity declaring `inverse`, by `relationship`, which leads to it.
  ///
  /// Two relationships of one name that lead to one entity would give one name; the entity's own relationships, in
  /// the order of their names, decide which of them goes without suffix.
  private func joinColumnNames() -> [RelationshipDescription: String] {
    var names: [RelationshipDescription: String] = [:]
    for entity in ordered {
      var taken = SQLNameSpace()
      for property in sortedByName(entity.entity.ownProperties) where hasPlace(property) {
        guard let back = property as? RelationshipDescription, back.isManyToMany, let inverse = back.inverse,
          inverse !== back
        else { continue }
        names[inverse] = taken.claim("Z_\(entity.namingNumber)\(SQLName.stem(inverse.name))")
      }
    }
    return names
  }

  /// The end that names the table: that of the lower number; within one entity that of the first name, unless the
  /// store has a table named by the other.
  private func owner(
    _ relationship: RelationshipDescription, _ inverse: RelationshipDescription
  ) -> RelationshipDescription {
    let numbers = (
      entities[relationship.entity.index].namingNumber, entities[inverse.entity.index].namingNumber
    )
    if numbers.0 != numbers.1 { return numbers.0 < numbers.1 ? relationship : inverse }
    let isFirst = SQLName.precedes(relationship.name, inverse.name)
    let (first, second) = isFirst ? (relationship, inverse) : (inverse, relationship)
    func name(_ end: RelationshipDescription) -> String { "Z_\(numbers.0)\(SQLName.stem(end.name))" }
    return existingTables.contains(name(second)) && !existingTables.contains(name(first)) ? second : first
  }

  private mutating func makePair(
    _ relationship: RelationshipDescription, inverse: RelationshipDescription,
    columns: [RelationshipDescription: String]
  ) {
    let source = entities[relationship.entity.index]
    let destination = entities[inverse.entity.index]
    let toSource = columns[inverse] ?? "Z_\(source.namingNumber)\(SQLName.stem(inverse.name))"
    let toDestination =
      columns[relationship] ?? "Z_\(destination.namingNumber)\(SQLName.stem(relationship.name))"
    let table = SQLJoinTable(
      name: tableNames.claim("Z_\(source.namingNumber)\(SQLName.stem(relationship.name))"), form: .pair,
      relationship: relationship, source: toSource, destination: toDestination,
      destinationOrder: relationship.isOrdered ? orderName(toDestination) : nil,
      sourceOrder: inverse.isOrdered ? orderName(toSource) : nil, sourceEntity: source,
      destinationEntity: destination)
    joinTables.append(table)
    declared[relationship] = .joinTable(
      table, source: toSource, destination: toDestination, order: table.destinationOrder)
    declared[inverse] = .joinTable(
      table, source: toDestination, destination: toSource, order: table.sourceOrder)
  }

  private mutating func makeOneWay(_ relationship: RelationshipDescription, _ entity: SQLEntity) {
    let stem = SQLName.stem(relationship.name)
    let destination = entities[relationship.destination.index]
    add(
      relationship, form: .oneWay, entity: entity, destination: destination,
      source: "Z_\(entity.namingNumber)\(stem)INVERSE",
      destinationColumn: "Z_\(destination.namingNumber)\(stem)")
  }

  private mutating func makeReflexive(_ relationship: RelationshipDescription, _ entity: SQLEntity) {
    add(
      relationship, form: .reflexive, entity: entity, destination: entity,
      source: "Z_\(entity.namingNumber)\(SQLName.stem(relationship.name))", destinationColumn: "REFLEXIVE")
  }

  private mutating func add(
    _ relationship: RelationshipDescription, form: SQLJoinTable.Form, entity: SQLEntity,
    destination: SQLEntity, source: String, destinationColumn: String
  ) {
    let order = relationship.isOrdered ? orderName(destinationColumn) : nil
    let table = SQLJoinTable(
      name: tableNames.claim("Z_\(entity.namingNumber)\(SQLName.stem(relationship.name))"), form: form,
      relationship: relationship, source: source, destination: destinationColumn, destinationOrder: order,
      sourceOrder: nil, sourceEntity: entity, destinationEntity: destination)
    joinTables.append(table)
    declared[relationship] = .joinTable(table, source: source, destination: destinationColumn, order: order)
  }

  private func orderName(_ column: String) -> String {
    "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
  }
}
