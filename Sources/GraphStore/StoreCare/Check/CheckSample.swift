import GraphStoreModel

/// Rows that a check of a store found: how many, and the names of the first.
package struct CheckSample {
  package var count: Int
  package var objects: [String]
  /// The keys in the third column of the first rows, if the query returns one.
  package var others: [Int64] = []

  package init(count: Int = 0, objects: [String] = []) {
    (self.count, self.objects) = (count, objects)
  }

  package mutating func add(_ other: CheckSample) {
    count += other.count
    objects = Array((objects + other.objects).prefix(StoreCheckFinding.objectLimit))
    others = Array((others + other.others).prefix(StoreCheckFinding.objectLimit))
  }

  /// The finding of a check that says of what kind the rows are, and what is wrong with them:
  /// `3 links to a missing object`; nil where there are none.
  package func finding(
    _ damage: StoreDamage, of check: String, at subject: String,
    severity: StoreCheckFinding.Severity = .failure, noun: String, what: String
  ) -> StoreCheckFinding? {
    guard count > 0 else { return nil }
    return StoreCheckFinding(
      damage, name: check, subject: subject, severity: severity, count: count, objects: objects,
      message: "\(count) \(noun)\(count == 1 ? "" : "s") \(what)")
  }

  /// The finding about rows that refer to objects that are gone, whose keys are the others; nil where there
  /// are none.
  package func danglingReferences(
    by relationship: RelationshipDescription, of check: String
  ) -> StoreCheckFinding? {
    guard count > 0 else { return nil }
    let targets = Set(others).sorted().prefix(3).map { "\(relationship.destination.name)/p\($0)" }
    let rows = count == 1 ? "1 row refers" : "\(count) rows refer"
    return StoreCheckFinding(
      .danglingReference, name: check, subject: "\(relationship)",
      severity: relationship.inverse == nil ? .warning : .failure, count: count, objects: objects,
      message: "\(rows) to a missing \(targets.joined(separator: ", "))")
  }
}
