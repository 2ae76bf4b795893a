import GraphStoreModel

extension StoreInspector {
  /// One direction of a one-to-one relationship: the column of the key, and that of the number of its entity.
  struct PairEnd {
    let column: SQLColumn
    let tag: SQLColumn?
  }

  /// A one-to-one relationship: its two directions, or the same one twice where it is its own inverse.
  struct Pair {
    let relationship: RelationshipDescription
    let inverse: RelationshipDescription
    let key: PairEnd
    let back: PairEnd

    var isOwnInverse: Bool { inverse === relationship }

    /// The names of the relationships.
    var subject: String { isOwnInverse ? "\(relationship)" : "\(relationship) / \(inverse)" }
  }

  /// The one-to-one relationships whose tables are whole, each once.
  func oneToOnePairs() -> [Pair] {
    declaredRelationships.compactMap { entity, relationship in
      guard let inverse = relationship.inverse, isFirst(relationship, inverse),
        case .toOne(let key, let tag, _) = entity.storage(of: relationship),
        case .toOne(let back, let backTag, _) = schema.entity(inverse.entity).storage(of: inverse),
        isSound(key.table), isSound(back.table)
      else { return nil }
      return Pair(
        relationship: relationship, inverse: inverse, key: PairEnd(column: key, tag: tag),
        back: PairEnd(column: back, tag: backTag))
    }
  }

  func oneToOne(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for pair in oneToOnePairs() {
      func add(_ severity: StoreCheckFinding.Severity, where isWrong: String) throws {
        var sample = try disagreeing(pair.key.column, pair.back.column, where: isWrong)
        if !pair.isOwnInverse {
          sample.add(try disagreeing(pair.back.column, pair.key.column, where: isWrong))
        }
        guard sample.count > 0 else { return }
        findings.append(
          StoreCheckFinding(
            .disagreeingPair, name: name, subject: pair.subject, severity: severity, count: sample.count,
            objects: sample.objects,
            message: sample.count == 1 ? "1 pair disagrees" : "\(sample.count) pairs disagree"))
      }
      if metadata.isOurs {
        try add(.failure, where: "IS NOT s.Z_PK")
      } else {
        try add(.failure, where: "<> s.Z_PK")
        // Programs leave one end empty, and know why.
        try add(.warning, where: "IS NULL")
      }
    }
    return findings + (try oneSidedPairs(name))
  }

  private func isFirst(_ relationship: RelationshipDescription, _ inverse: RelationshipDescription) -> Bool {
    if relationship === inverse { return true }
    let numbers = (
      schema.entity(relationship.entity).namingNumber, schema.entity(inverse.entity).namingNumber
    )
    return numbers.0 == numbers.1
      ? SQLName.precedes(relationship.name, inverse.name) : numbers.0 < numbers.1
  }

  private func disagreeing(_ key: SQLColumn, _ back: SQLColumn, where isWrong: String) throws -> Sample {
    try sample(
      key.table, joins: "JOIN \(back.table.quotedName) AS d ON d.Z_PK = s.\(key.quotedName)",
      where: all("d.\(back.quotedName) \(isWrong)", belongs("s", to: key.entity)))
  }

  /// Pairs of a relationship that is its own inverse, of which one direction is missing; reading adds it
  /// (STO-254).
  private func oneSidedPairs(_ name: String) throws -> [StoreCheckFinding] {
    try schema.joinTables.filter { $0.form == .reflexive && isSound($0) }.compactMap { table in
      try oneSidedPairs(of: table).finding(
        .oneSidedPair, of: name, at: "\(table.relationship)", severity: .warning, noun: "pair",
        what: "recorded in one direction only")
    }
  }

  func oneSidedPairs(of table: SQLJoinTable) throws -> Sample {
    try sample(
      table.sourceEntity.table,
      joins: "JOIN \(table.quotedName) AS j ON j.\(SQLName.quoted(table.source)) = s.Z_PK",
      where: isOneSided(table))
  }

  /// A test that a row `j` of a table of pairs has none in the other direction.
  func isOneSided(_ table: SQLJoinTable) -> String {
    let (source, destination) = (SQLName.quoted(table.source), SQLName.quoted(table.destination))
    return """
      NOT EXISTS (SELECT 1 FROM \(table.quotedName) AS k
        WHERE k.\(source) = j.\(destination) AND k.\(destination) = j.\(source))
      """
  }
}
