import Foundation
import GraphStoreModel
import OrderedCollections

/// Looks in a store that is one document for everything that a save would never have written, as a text that
/// was edited may have it. Form, keys and links were checked when the document was read.
struct DocumentInspector {
  private typealias Sample = StoreInspector.Sample

  private let store: DocumentStore
  private let state: InMemoryState
  private let evaluators = ValidationPredicates()

  init(_ store: DocumentStore) throws {
    self.store = store
    state = try store.base.database.snapshot()
  }

  /// Runs all checks; a quick one is over when the document was read.
  func run(isQuick: Bool, reading elapsed: Duration) -> [StoreCheckResult] {
    let read = StoreCheckResult(name: "document", findings: [], elapsed: elapsed)
    guard !isQuick else { return [read] }
    return [
      read, check("required values", requiredValues), check("validation", validation),
      check("uniqueness", uniqueness), check("derived values", derivedValues),
    ]
  }

  private func check(_ name: String, _ body: (String) throws -> [StoreCheckFinding]) -> StoreCheckResult {
    let start = ContinuousClock.now
    var findings: [StoreCheckFinding]
    do { findings = try body(name) } catch {
      let message = (error as? GraphStoreError)?.message ?? "\(error)"
      findings = [
        StoreCheckFinding(
          .unfinished, name: name, subject: "the file", count: 1,
          message: "the check cannot be finished: \(message)")
      ]
    }
    return StoreCheckResult(name: name, findings: findings, elapsed: ContinuousClock.now - start)
  }

  private func forEachRow(_ body: (_ key: Int64, Row) throws -> Void) rethrows {
    for root in store.layout.entities where root.index == root.rootIndex {
      try state.scan(root.index) { key, row in
        try body(key, row)
        return true
      }
    }
  }

  private static func sample(_ key: Int64, _ row: Row) -> Sample {
    Sample(count: 1, objects: ["\(row.layout.entity.name)/p\(key)"])
  }

  // MARK: Values

  /// Mandatory properties without a value, and to-manys that break their counts.
  private func requiredValues(_ name: String) throws -> [StoreCheckFinding] {
    var samples: OrderedDictionary<Lack, Sample> = [:]
    try forEachRow { key, row in
      for lack in try lacks(of: row, key) { samples[lack, default: Sample()].add(Self.sample(key, row)) }
    }
    return samples.compactMap { lack, sample in
      sample.finding(
        lack.isOfMembers ? .memberCount : .missingValue, of: name, at: lack.subject,
        noun: lack.isOfMembers ? "object" : "row", what: lack.what)
    }
  }

  /// What an object has not that it has to have.
  private struct Lack: Hashable {
    let subject: String
    var what = "without a value"
    var isOfMembers = false
  }

  private func lacks(of row: Row, _ key: Int64) throws -> [Lack] {
    var lacks: [Lack] = []
    for failure in try failures(in: row)
    where failure.number == ValueViolation.Code.missingMandatoryProperty.rawValue {
      lacks.append(
        Lack(subject: [failure.entity, failure.property].compactMap(\.self).joined(separator: ".")))
    }
    for relationship in row.layout.relationships where relationship.isPersistent {
      let description = relationship.description
      guard relationship.isToMany else {
        if !description.isOptional, row.reference(relationship.slot) == nil {
          lacks.append(Lack(subject: "\(description)"))
        }
        continue
      }
      let count = state.members(of: relationship, owner: key).count
      let what: String? =
        if description.requiresMember, count == 0 {
          "without a member"
        } else if count > 0, count < description.minCount {
          "with fewer members than \(description.minCount)"
        } else if description.maxCount > 0, count > description.maxCount {
          "with more members than \(description.maxCount)"
        } else { nil }
      if let what { lacks.append(Lack(subject: "\(description)", what: what, isOfMembers: true)) }
    }
    return lacks
  }

  private func failures(in row: Row) throws -> [GraphStoreError] {
    var failures: [GraphStoreError] = []
    try row.layout.validateAttributes(
      of: row, skippingTransient: true, objectID: nil, evaluators: evaluators, &failures)
    return failures
  }

  /// Values that a rule of the model forbids, which may be younger than they are: warnings.
  private func validation(_ name: String) throws -> [StoreCheckFinding] {
    var samples: OrderedDictionary<BrokenRule, Sample> = [:]
    try forEachRow { key, row in
      for rule in try failures(in: row).compactMap({ BrokenRule($0) }) {
        samples[rule, default: Sample()].add(Self.sample(key, row))
      }
    }
    return samples.sorted { $0.key < $1.key }.compactMap { rule, sample in
      sample.finding(
        .brokenRule, of: name, at: rule.subject, severity: .warning, noun: "row", what: rule.what)
    }
  }

  /// Objects with values that another one has, and that are to be unique.
  private func uniqueness(_ name: String) -> [StoreCheckFinding] {
    var samples: OrderedDictionary<String, Sample> = [:]
    forEachRow { key, row in
      for constraint in state.schema.constraints[row.layout.index]
      where state.holder(constraint, of: row, key) != nil {
        let names = constraint.properties.map(\.name).joined(separator: ", ")
        let subject = "\(constraint.declared.declaring.name).\(names)"
        samples[subject, default: Sample()].add(Self.sample(key, row))
      }
    }
    return samples.compactMap { subject, sample in
      sample.finding(
        .duplicate, of: name, at: subject, noun: "row", what: "with values that are to be unique")
    }
  }

  /// Derived values that are other ones than their derivations yield.
  private func derivedValues(_ name: String) throws -> [StoreCheckFinding] {
    let session = try InMemoryWriteSession(store.base, isShared: false)
    defer { try? session.rollback() }
    return try store.layout.derivedAttributes.filter { $0.expression != nil }.compactMap { derived in
      let changes = try session.storeDerivedValues(of: derived, keys: nil, date: Date())
      var sample = Sample(count: changes.count)
      sample.objects = changes.prefix(StoreCheckFinding.objectLimit).compactMap { change in
        state.row(change.root, change.key).map { "\($0.layout.entity.name)/p\(change.key)" }
      }
      // A save of whatever they depend on computes them anew.
      return sample.finding(
        .brokenRule, of: name, at: "\(derived.attribute)", noun: "row",
        what: "with a value that is not the derived one")
    }
  }
}
