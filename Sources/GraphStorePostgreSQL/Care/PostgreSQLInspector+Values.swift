#if PostgreSQL
import GraphStore
import GraphStoreModel
import OrderedCollections

extension PostgreSQLInspector {
  /// Mandatory properties without a value, and to-manys that break their counts (REL-142, REL-143, REL-148).
  func requiredValues(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for rows in schema.tables where isSound(rows) {
      for column in rows.columns where isRequired(column) {
        let sample = try sample(
          rows, where: all("s.\(self.name(column.name)) IS NULL", belongs("s", to: column.entity)))
        let finding = sample.finding(
          .missingValue, of: name, at: "\(column.property)", noun: "row", what: "without a value")
        if let finding { findings.append(finding) }
      }
    }
    return try findings + memberCounts(name)
  }

  private func isRequired(_ column: SQLColumn) -> Bool {
    switch column.kind {
    case .toOneEntity, .orderKey, .ownerKey: false
    default:
      !column.property.isOptional && column.elements.isEmpty && column.attribute?.isDerived != true
    }
  }

  private func memberCounts(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for (owner, relationship) in declaredRelationships where relationship.isToMany {
      guard isSound(owner.table), let members = members(of: owner, relationship) else { continue }
      for (condition, what) in relationship.memberCountTests("(\(members))") {
        let sample = try sample(owner.table, where: all(condition, belongs("s", to: owner)))
        let finding = sample.finding(
          .memberCount, of: name, at: "\(relationship)", noun: "object", what: what)
        if let finding { findings.append(finding) }
      }
    }
    return findings
  }

  /// A query for the number of members of the row `s`; nil if their table is not there.
  private func members(of owner: SQLEntity, _ relationship: RelationshipDescription) -> String? {
    switch owner.storage(of: relationship) {
    case .toManyInverse(let column, _) where isSound(column.table):
      return "SELECT count(*) FROM \(table(column.table.name)) AS m WHERE m.\(name(column.name)) = s.\(key)"
    case .joinTable(let pairs, let source, let destination, _) where isSound(pairs):
      let (source, destination) = (name(source), name(destination))
      let links = "FROM \(table(pairs.name)) WHERE"
      guard pairs.form == .reflexive else { return "SELECT count(*) \(links) \(source) = s.\(key)" }
      return "SELECT count(*) FROM (SELECT \(destination) \(links) \(source) = s.\(key) "
        + "UNION SELECT \(source) \(links) \(destination) = s.\(key)) AS m"
    default: return nil
    }
  }

  // MARK: Rules

  /// Values that a rule of the model forbids: a limit, a length, a pattern or a predicate.
  ///
  /// A rule may be younger than the values, since it is no part of the version hash, so that this is a
  /// warning: nothing is read wrongly, and the next save of such an object says what is wrong.
  func validation(_ name: String) throws -> [StoreCheckFinding] {
    let evaluators = ValidationPredicates()
    var findings: [StoreCheckFinding] = []
    for rows in schema.tables where isSound(rows) {
      var samples: OrderedDictionary<BrokenRule, CheckSample> = [:]
      try session.plan(StoreRequest(entityName: rows.root.entity.name, .rows)).rows { batch in
        try batch.forEach { key, row in
          var failures: [GraphStoreError] = []
          try row.layout.validateAttributes(
            of: row, skippingTransient: true, objectID: nil, evaluators: evaluators, &failures)
          for rule in failures.compactMap({ BrokenRule($0) }) {
            samples[rule, default: CheckSample()].add(
              CheckSample(count: 1, objects: ["\(row.layout.entity.name)/p\(key)"]))
          }
        }
      }
      findings += samples.sorted { $0.key < $1.key }.compactMap { rule, sample in
        sample.finding(
          .brokenRule, of: name, at: rule.subject, severity: .warning, noun: "row", what: rule.what)
      }
    }
    return findings
  }

  /// Objects with values that another one has, and that are to be unique.
  func uniqueness(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for owner in schema.entitiesInOrder where isSound(owner.table) {
      for constraint in owner.entity.ownUniquenessConstraints {
        guard let columns = owner.columns(ofConstraint: constraint)?.map({ self.name($0.name) }) else {
          continue
        }
        let present = columns.map { "s.\($0) IS NOT NULL" }.joined(separator: " AND ")
        let sample = try sample(
          "SELECT \(key), \(entity), 0::bigint, count(*) OVER () FROM (SELECT s.\(key), s.\(entity), "
            + "count(*) OVER (PARTITION BY \(columns.joined(separator: ", "))) AS n "
            + "FROM \(table(owner.table.name)) AS s WHERE \(all(present, belongs("s", to: owner)))) AS g "
            + "WHERE n > 1 ORDER BY 1 LIMIT \(StoreCheckFinding.objectLimit)", root: owner)
        let names = constraint.map(\.name).joined(separator: ", ")
        let finding = sample.finding(
          .duplicate, of: name, at: "\(owner.entity.name).\(names)", noun: "row",
          what: "with values that are to be unique")
        if let finding { findings.append(finding) }
      }
    }
    return findings
  }

  /// Derived values that are other ones than their derivations yield.
  func derivedValues(_ name: String) throws -> [StoreCheckFinding] {
    try derivedValues().compactMap { derived, values in
      let changes = try values.changes(keys: nil)
      var sample = CheckSample(count: changes.count)
      sample.objects = changes.prefix(StoreCheckFinding.objectLimit).map {
        "\(derived.entity.name)/p\($0.key)"
      }
      return sample.finding(
        .derivedValue, of: name, at: "\(derived.attribute)", noun: "row",
        what: "with a value that is not the derived one")
    }
  }

  /// The derived attributes whose values can be computed from what the store holds.
  func derivedValues() -> [(derived: DerivedAttribute, values: PostgreSQLDerivedValues)] {
    session.layout.derivedAttributes.compactMap { derived in
      if case .save = derived.source { return nil }
      guard
        case .attribute(let column) = schema.entity(derived.entity).storage(of: derived.attribute),
        isSound(column.table)
      else { return nil }
      return (derived, PostgreSQLDerivedValues(session, derived, column))
    }
  }
}
#endif
