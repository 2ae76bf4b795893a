import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteSetBasedMigration {
  /// Checks that only the data can decide, as queries on the old store (MIG-121).
  func checks() -> [MigrationDataCheck] {
    entities.pairs.flatMap { valueChecks($0) + relationshipChecks($0) } + abstractChecks() + agreementChecks()
      + uniquenessChecks()
  }

  private func rows(_ pair: MigratedEntities.Pair) -> String {
    "FROM \(MigrationText.old(pair.source.table)) AS s WHERE s.Z_ENT = \(pair.source.number)"
  }

  // MARK: Values

  private func valueChecks(_ pair: MigratedEntities.Pair) -> [MigrationDataCheck] {
    var checks: [MigrationDataCheck] = []
    for column in pair.destination.columns(includingSubentities: false) {
      guard let attribute = column.attribute, !attribute.isDerived,
        let origin = values.origin(of: column, in: pair)
      else { continue }
      let name = ([column.property] + column.elements).map(\.name).joined(separator: ".")
      let stored = "s.\(origin.column.quotedName)"
      if values.needsCheck(column, origin) {
        checks.append(
          MigrationDataCheck(
            .inexactNumber(origin.attribute.type, attribute.type), entity: pair.destination.entity,
            property: name,
            query: "SELECT s.Z_ENT AS e, s.Z_PK AS k, \(stored) AS v \(rows(pair)) AND \(stored) IS NOT NULL "
              + "AND \(values.convertedValue(column, origin)) IS NULL"))
      }
      // Inferred in custom stages alone, whose handlers may have filled in what was missing (MIG-104).
      if !attribute.isOptional, origin.attribute.isOptional || entities.pairing.checksOldRules,
        attribute.defaultValue.isNull
          || !entities.pairing.putsDefault(into: attribute, in: pair.destination.entity)
      {
        checks.append(
          MigrationDataCheck(
            .missingValue, entity: pair.destination.entity, property: name,
            query: "SELECT s.Z_ENT AS e, s.Z_PK AS k, NULL AS v \(rows(pair)) AND \(stored) IS NULL"))
      }
    }
    return checks
  }

  private func abstractChecks() -> [MigrationDataCheck] {
    destinationEntities.compactMap { entity in
      guard entity.entity.isAbstract, let origin = entities.origin(of: entity), !origin.entity.isAbstract
      else {
        return nil
      }
      return MigrationDataCheck(
        .abstractEntity, entity: entity.entity, property: nil,
        query: "SELECT Z_ENT AS e, Z_PK AS k, NULL AS v FROM \(MigrationText.old(origin.table)) "
          + "WHERE Z_ENT = \(origin.number)")
    }
  }

  private var destinationEntities: [SQLEntity] { entities.destination.numberedEntities }

  // MARK: Relationships

  private func relationshipChecks(_ pair: MigratedEntities.Pair) -> [MigrationDataCheck] {
    pair.destination.entity.properties.compactMap { $0 as? RelationshipDescription }
      .filter { !$0.isTransient }
      .flatMap { relationship in
        entities.links(of: relationship, in: pair).flatMap { links in
          strangerChecks(relationship, links, pair) + memberChecks(relationship, links, pair)
        }
      }
  }

  /// Members that are there in the new store, but are not what the relationship leads to any more (MIG-087).
  private func strangerChecks(
    _ relationship: RelationshipDescription, _ links: MigratedLinks, _ pair: MigratedEntities.Pair
  ) -> [MigrationDataCheck] {
    let members = entities.members(of: links.members, leadingTo: relationship.destination)
    let successors = entities.pairing.destinations(of: links.members)
    guard !members.strangers.isEmpty, !successors.contains(where: { $0.isKind(of: relationship.destination) })
    else {
      return []
    }
    var all = members
    for number in members.strangers { all.kept[number] = number }
    let rows = MigratedLinkQueries(entities).query(links, all, owners: [pair.source.number])
    let table = MigrationText.old(entities.source.entity(links.members).table)
    return [
      MigrationDataCheck(
        .wrongMember(relationship.destination.name), entity: pair.destination.entity,
        property: relationship.name,
        query: "SELECT \(pair.source.number) AS e, l.w AS k, l.k AS v FROM (\(rows)) AS l "
          + "JOIN \(table) AS t ON t.Z_PK = l.k WHERE t.Z_ENT IN \(MigrationText.list(members.strangers))")
    ]
  }

  /// Numbers of members that the new relationship does not allow (MIG-082, MIG-086).
  private func memberChecks(
    _ relationship: RelationshipDescription, _ links: MigratedLinks, _ pair: MigratedEntities.Pair
  ) -> [MigrationDataCheck] {
    let members = entities.members(of: links.members, leadingTo: relationship.destination)
    let rows = MigratedLinkQueries(entities).query(links, members, owners: [pair.source.number])
    let counts = "(SELECT w, count(*) AS n FROM (\(rows)) GROUP BY w)"
    return limits(of: relationship, links, members).map { limit in
      MigrationDataCheck(
        limit.rule, entity: pair.destination.entity, property: relationship.name,
        query:
          "SELECT s.Z_ENT AS e, s.Z_PK AS k, coalesce(c.n, 0) AS v FROM \(MigrationText.old(pair.source.table)) AS s "
          + "LEFT JOIN \(counts) AS c ON c.w = s.Z_PK WHERE s.Z_ENT = \(pair.source.number) AND "
          + limit.condition("coalesce(c.n, 0)"))
    }
  }

  private struct Limit {
    let rule: MigrationDataCheck.Rule
    let condition: (String) -> String
  }

  private func limits(
    of relationship: RelationshipDescription, _ links: MigratedLinks, _ members: MigratedEntities.Members
  ) -> [Limit] {
    let old = links.isReversed ? links.relationship.inverse : links.relationship
    var limits: [Limit] = []
    if !relationship.isToMany, old?.isToMany != false, !values.allowsInexact {
      limits.append(Limit(rule: .severalMembers) { "\($0) > 1" })
    }
    let losesMembers = !members.isComplete || entities.pairing.checksOldRules
    if relationship.requiresMember, losesMembers || old?.requiresMember != true {
      limits.append(Limit(rule: .missingMember) { "\($0) = 0" })
    }
    guard relationship.isToMany else { return limits }
    let (least, most) = (relationship.minCount, relationship.maxCount)
    if least > 1, losesMembers || (old?.minCount ?? 0) < least {
      limits.append(Limit(rule: .tooFewMembers(least)) { "\($0) BETWEEN 1 AND \(least - 1)" })
    }
    if most > 0,
      entities.pairing.checksOldRules
        || old.map({ $0.isToMany && ($0.maxCount == 0 || $0.maxCount > most) }) ?? true
    {
      limits.append(Limit(rule: .tooManyMembers(most)) { "\($0) > \(most)" })
    }
    return limits
  }

  /// Links of two old relationships that become each other's inverse have to be the same.
  private func agreementChecks() -> [MigrationDataCheck] {
    var checks: [MigrationDataCheck] = []
    for entity in destinationEntities {
      for case let relationship as RelationshipDescription in entity.entity.ownProperties {
        guard let inverse = relationship.inverse, inverse !== relationship,
          (relationship.entity.index, relationship.number) < (inverse.entity.index, inverse.number),
          let pair = entities.pairs.first(where: { $0.destination.entity.isKind(of: relationship.entity) }),
          let back = entities.pairs.first(where: { $0.destination.entity.isKind(of: inverse.entity) }),
          let old = entities.links(of: relationship, in: pair).first, !old.isReversed,
          let oldInverse = entities.links(of: inverse, in: back).first, !oldInverse.isReversed,
          old.relationship.inverse !== oldInverse.relationship,
          let links = MigratedLinkQueries(entities).query(of: relationship),
          let others = MigratedLinkQueries(entities).query(of: inverse)
        else { continue }
        let both = "SELECT w, k FROM (\(links)) EXCEPT SELECT k, w FROM (\(others))"
        let missing = "SELECT k, w FROM (\(others)) EXCEPT SELECT w, k FROM (\(links))"
        let table = MigrationText.old(pair.source.table)
        checks.append(
          MigrationDataCheck(
            .disagreeingLinks(inverse.name), entity: relationship.entity, property: relationship.name,
            query: "SELECT t.Z_ENT AS e, l.w AS k, l.k AS v FROM (SELECT w, k FROM (\(both)) UNION "
              + "SELECT k AS w, w AS k FROM (\(missing)) AS x(k, w)) AS l JOIN \(table) AS t ON t.Z_PK = l.w")
        )
      }
    }
    return checks
  }

  // MARK: Uniqueness

  private func uniquenessChecks() -> [MigrationDataCheck] {
    destinationEntities.flatMap { entity in
      entity.entity.ownUniquenessConstraints.compactMap { uniquenessCheck(entity, $0) }
    }
  }

  private func uniquenessCheck(
    _ entity: SQLEntity, _ constraint: [PropertyDescription]
  ) -> MigrationDataCheck? {
    guard !isInForce(constraint, of: entity.entity), let columns = entity.columns(ofConstraint: constraint),
      var group = entities.groups.first(where: { $0.destination === entity.table })
    else { return nil }
    group.pairs = group.pairs.filter { $0.destination.entity.isKind(of: entity.entity) }
    guard !group.pairs.isEmpty else { return nil }
    var text = MigrationText()
    let values = columns.map { expression($0, in: group, &text) }
    let names = values.indices.map { "c\($0)" }
    let selected = zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
    let present = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return MigrationDataCheck(
      .duplicate(constraint.map(\.name)), entity: entity.entity,
      property: constraint.map(\.name).joined(separator: ", "),
      query: """
        SELECT e, k, c0 AS v FROM (SELECT e, k, \(names.joined(separator: ", ")),
          count(*) OVER (PARTITION BY \(names.joined(separator: ", "))) AS n
          FROM (SELECT s.Z_ENT AS e, s.Z_PK AS k, \(selected) FROM \(MigrationText.old(group.source)) AS s
            WHERE s.Z_ENT IN \(MigrationText.list(group.numbers))) WHERE \(present)) WHERE n > 1
        """, text: text)
  }

  /// Whether the old model had the constraint for all objects that have it now, with values that did not
  /// change.
  private func isInForce(_ constraint: [PropertyDescription], of entity: EntityDescription) -> Bool {
    if entities.pairing.checksOldRules { return false }
    guard let old = entities.pairing.source(of: entity) else { return true }
    let attributes = constraint.compactMap { $0 as? AttributeDescription }
    let origins = attributes.compactMap {
      entities.pairing.source(of: $0, in: entity) as? AttributeDescription
    }
    // The new value of a reference in the constraint depends on more than its own kind.
    guard origins.count == constraint.count,
      zip(origins, attributes).allSatisfy({ $0.type == $1.type && ($1.isOptional || !$0.isOptional) })
    else { return false }
    let family = entity.family.compactMap { entities.pairing.source(of: $0) }
    return family.allSatisfy { $0.isKind(of: old) }
      && old.uniquenessConstraints.contains { Set($0) == Set(origins) }
  }
}
