import GraphStoreModel

extension StoreInspector {
  /// Objects with fewer or more members than the model allows (REL-142, REL-143, REL-148).
  func memberCounts(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for (entity, relationship) in declaredRelationships where relationship.isToMany {
      guard isSound(entity.table), let members = members(of: entity, relationship) else { continue }
      for (condition, what) in relationship.memberCountTests("(\(members))") {
        let sample = try sample(entity.table, where: all(condition, belongs("s", to: entity)))
        if let finding = sample.finding(
          .memberCount, of: name, at: "\(relationship)", noun: "object", what: what)
        {
          findings.append(finding)
        }
      }
    }
    return findings
  }

  /// A query for the number of members of the row `s`; nil if their table is not there.
  private func members(of entity: SQLEntity, _ relationship: RelationshipDescription) -> String? {
    switch entity.storage(of: relationship) {
    case .toManyInverse(let key, _) where isSound(key.table):
      return "SELECT count(*) FROM \(key.table.quotedName) AS m WHERE m.\(key.quotedName) = s.Z_PK"
    case .joinTable(let table, let source, let destination, _) where isSound(table):
      let (source, destination) = (SQLName.quoted(source), SQLName.quoted(destination))
      let links = "FROM \(table.quotedName) WHERE"
      guard table.form == .reflexive else { return "SELECT count(*) \(links) \(source) = s.Z_PK" }
      return """
        SELECT count(*) FROM (SELECT \(destination) \(links) \(source) = s.Z_PK
          UNION SELECT \(source) \(links) \(destination) = s.Z_PK)
        """
    default: return nil
    }
  }
}

extension RelationshipDescription {
  /// The tests over the number of members that find what the model does not allow, and what they find.
  package func memberCountTests(_ number: String) -> [(condition: String, what: String)] {
    var tests: [(condition: String, what: String)] = []
    if requiresMember { tests.append(("\(number) = 0", "without a member")) }
    if minCount > 1 {
      tests.append(("\(number) BETWEEN 1 AND \(minCount - 1)", "with fewer members than \(minCount)"))
    }
    if maxCount > 0 { tests.append(("\(number) > \(maxCount)", "with more members than \(maxCount)")) }
    return tests
  }
}
