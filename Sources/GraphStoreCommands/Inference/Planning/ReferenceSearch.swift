/// Search for the entity that the values of a field refer to.
struct ReferenceSearch {
  let subjects: [RecordPlanner.Subject]
  let kept: KeptValues

  /// Words for relations of things of one kind.
  private static let ownKind: Set<String> = [
    "parent", "manager", "boss", "supervisor", "superior", "lead", "leader", "chief", "mentor", "mother",
    "father",
    "spouse", "partner", "predecessor", "successor", "previous", "next", "original", "replaces", "root",
    "sponsor",
    "referrer",
  ]

  /// The entity whose keys all values are, and why.
  ///
  /// - Parameter remarks: Gets what speaks against an entity that is named.
  func target(
    of field: FieldSurvey, in plan: PlannedEntity, remarks: inout [String]
  ) throws -> (entity: PlannedEntity, reason: String)? {
    guard field.values > 0, field.emptyTexts == 0 else { return nil }
    if field.isAll(.reference) { return try exported(field) }
    guard field.isReferenceCandidate, field.classes.isSubset(of: [.integer, .uuid, .text, .amount]),
      let stem = KeyNames.stem(ofReference: field.name), let last = stem.last
    else { return nil }
    if let named = named(stem) ?? named([last]) {
      guard let key = named.key else { return nil }
      if let missing = try kept.firstValue(of: field.number, missingFrom: key.number) {
        remarks.append("no \(named.plan.name) has the \(key.name) \(missing), so that it stays a value")
        return nil
      }
      return (named.plan, "every value is the \(key.name) of a \(named.plan.name)")
    }
    return try unnamed(field, last, in: plan, remarks: &remarks)
  }

  private func named(_ words: [String]) -> RecordPlanner.Subject? {
    guard let last = words.last else { return nil }
    let name = Words.capitalized(words.dropLast() + [Plurals.singular(last)]).lowercased()
    return subjects.first { $0.plan.name.lowercased() == name }
  }

  private func unnamed(
    _ field: FieldSurvey, _ word: String, in plan: PlannedEntity, remarks: inout [String]
  ) throws -> (entity: PlannedEntity, reason: String)? {
    var holders: [RecordPlanner.Subject] = []
    for subject in subjects {
      guard let key = subject.key, key !== field else { continue }
      if try kept.firstValue(of: field.number, missingFrom: key.number) == nil { holders.append(subject) }
    }
    if Self.ownKind.contains(word.lowercased()), let own = holders.first(where: { $0.plan === plan }) {
      return (plan, "every value is the \(own.key?.name ?? "id") of another \(plan.name)")
    }
    let others = holders.filter { $0.plan !== plan }
    guard others.count == 1, let other = others.first else {
      if !holders.isEmpty {
        let names = holders.map(\.plan.name).joined(separator: ", ")
        remarks.append("its values are keys of \(names): if it refers to one, make it a relationship")
      }
      return nil
    }
    return (
      other.plan,
      "every value is the \(other.key?.name ?? "id") of a \(other.plan.name), though the name says nothing of it"
    )
  }

  /// The entity that ids of an export name, if it is one.
  private func exported(_ field: FieldSurvey) throws -> (entity: PlannedEntity, reason: String)? {
    let names = try kept.entities(ofReferences: field.number)
    guard names.count == 1, let name = names.first,
      let subject = subjects.first(where: { $0.plan.name == name }), let key = subject.key,
      try kept.firstValue(of: field.number, missingFrom: key.number) == nil
    else { return nil }
    return (subject.plan, "every value is the id of a \(name)")
  }
}
