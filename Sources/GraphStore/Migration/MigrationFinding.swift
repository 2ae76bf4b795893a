import GraphStoreModel

/// Objects of a store that a new version of its model does not allow.
///
/// ```swift
/// let plan = try MigrationPlan(fromStoreAt: "hr.db", to: versions, checksData: true)
/// for finding in plan.findings {
///   print(finding.message, finding.examples.map(\.shortForm), finding.remedy)
/// }
/// ```
public struct MigrationFinding: Hashable, Sendable {
  /// One of the objects.
  public struct Example: Hashable, Sendable {
    /// The object's URI in the store that is migrated.
    public let uri: String
    /// Its value, or the number of its members, as text; nil for none.
    public let value: String?

    /// The object in its short form within one store: `Employee/p12`.
    public var shortForm: String { uri.split(separator: "/").suffix(2).joined(separator: "/") }
  }

  /// The broken rule, as words that follow "objects": "without a value, which is mandatory".
  public let rule: String
  /// The entity in the new model.
  public let entity: String
  /// The property in the new model, or the attributes of a constraint; nil where the entity itself is
  /// concerned.
  public let property: String?
  /// The number of objects.
  public let count: Int
  /// The first ten of them.
  public let examples: [Example]
  /// What to do about it, as a sentence.
  public let remedy: String

  /// The sentence for people, without the examples.
  public var message: String {
    let subject = [entity, property].compactMap { $0 }.joined(separator: ".")
    let objects = count == 1 ? "1 object" : "\(count) objects"
    return "\(subject): \(objects) \(rule)"
  }
}

extension GraphStoreError {
  /// The error that data break rules of the new model; the original is untouched.
  static func migration(_ findings: [MigrationFinding], path: String) -> GraphStoreError {
    var errors = findings.map { finding in
      var error = GraphStoreError(
        .migrationConstraint, "\(finding.message).", remedy: finding.remedy, entity: finding.entity,
        property: finding.property)
      error.details = finding.examples.map { "\($0.shortForm)\($0.value.map { ": \($0)" } ?? "")" }
      if finding.count > finding.examples.count {
        error.details.append("and \(finding.count - finding.examples.count) more")
      }
      return error
    }
    guard errors.count > 1 else { return errors.removeFirst() }
    var all = GraphStoreError(
      .migrationConstraint,
      "\(path) cannot be migrated: its data break \(errors.count) rules of the new model.",
      remedy: errors[0].remedy)
    all.errors = errors
    all.details = errors.flatMap { [$0.message] + $0.details.map { "  \($0)" } }
    return all
  }
}

/// Something that a migration leaves behind.
///
/// ```swift
/// let plan = try MigrationPlan(fromStoreAt: "hr.db", to: versions)
/// for loss in plan.losses { print(loss.path, loss.reason, loss.count ?? 0) }
/// ```
public struct MigrationLoss: Hashable, Sendable {
  /// The version in which it is still there, by its label.
  public let version: String
  /// Where: `Employee`, or `Employee.nickname`.
  public let path: String
  /// The loss, as a clause: "its values are left behind".
  public let reason: String
  /// The number of objects of the store that lose something; nil where that shows only on the way.
  public let count: Int?
  /// What to do to keep it, as a sentence; nil where nothing is known.
  public let remedy: String?

  /// One line for people.
  public var message: String {
    let number = count.map { $0 == 1 ? " (1 object)" : " (\($0) objects)" } ?? ""
    return "\(path): \(reason)\(number)"
  }
}

/// Way between two versions that a plan does not take: version by version, or at once over the versions
/// between.
///
/// ```swift
/// var plan = try MigrationPlan(fromStoreAt: "hr.db", to: versions)
/// if let other = plan.alternative, other.keepsMore {
///   plan = try MigrationPlan(fromStoreAt: "hr.db", to: versions, isStepByStep: other.isStepByStep)
/// }
/// ```
public struct MigrationAlternative: Sendable {
  /// Whether it migrates version by version, where the plan migrates directly.
  public let isStepByStep: Bool
  /// Whether it would leave less behind than the plan, which migrates version by version as requested.
  public internal(set) var keepsMore = false
  /// Its steps; none where one of them cannot be inferred.
  public let steps: [MigrationStep]
  /// The losses it would cause, in the order of the steps.
  public let losses: [MigrationLoss]
  /// The reasons why it cannot be taken; empty where it can.
  public let refusals: [GraphStoreError]
}

/// Collector of the objects that the new model does not allow, found while objects are migrated one by one
/// (MIG-121, MIG-122), and of those that it does by inexact conversion alone (MIG-123).
final class MigrationFindings {
  private struct Place: Hashable {
    let rule: MigrationDataCheck.Rule
    let entity: String
    let property: String?
    let isAllowed: Bool
  }

  private struct Found {
    var count = 0
    var examples: [MigrationFinding.Example] = []
  }

  private var places: [Place] = []
  private var found: [Place: Found] = [:]

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - entity: The new entity.
  ///   - property: The new property, or those of a constraint.
  ///   - object: The object in the store that is migrated.
  ///   - isAllowed: Whether it is migrated all the same.
  func add(
    _ rule: MigrationDataCheck.Rule, entity: EntityDescription?, property: String?, _ object: ManagedObjectID,
    value: String? = nil, isAllowed: Bool = false
  ) {
    let place = Place(rule: rule, entity: entity?.name ?? "", property: property, isAllowed: isAllowed)
    if found[place] == nil { places.append(place) }
    var entry = found[place] ?? Found()
    entry.count += 1
    if entry.examples.count < MigrationDataCheck.exampleLimit {
      entry.examples.append(MigrationFinding.Example(uri: object.uriText, value: value))
    }
    found[place] = entry
  }

  /// What inexact conversion has changed.
  var allowed: [MigrationFinding] { findings(areAllowed: true) }

  /// - Throws: `migration-constraint` with everything that was found and is not allowed.
  func throwFindings(path: String) throws {
    let findings = findings(areAllowed: false)
    if !findings.isEmpty { throw GraphStoreError.migration(findings, path: path) }
  }

  private func findings(areAllowed: Bool) -> [MigrationFinding] {
    places.filter { $0.isAllowed == areAllowed }.compactMap { place in
      found[place].map { entry in
        MigrationFinding(
          rule: place.rule.sentence, entity: place.entity, property: place.property, count: entry.count,
          examples: entry.examples, remedy: place.rule.remedy)
      }
    }
  }
}
