import GraphStoreModel

/// Collector of the objects that the new model does not allow, found while objects are migrated one by one (MIG-121,
/// MIG-122).
final class MigrationFindings {
  private struct Place: Hashable {
    let rule: MigrationDataCheck.Rule
    let entity: String
    let property: String?
  }

  private struct Found {
    var count = 0
    var examples: [MigrationFinding.Example] = []
  }

  private var places: [Place] = []
  private var found: [Place: Found] = [:]

  var isEmpty: Bool { places.isEmpty }

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - entity: The new entity.
  ///   - property: The new property, or those of a constraint.
  ///   - object: The object in the store that is migrated.
  func add(
    _ rule: MigrationDataCheck.Rule, entity: EntityDescription?, property: String?, _ object: ManagedObjectID,
    value: String? = nil
  ) {
    let place = Place(rule: rule, entity: entity?.name ?? "", property: property)
    if found[place] == nil { places.append(place) }
    var entry = found[place] ?? Found()
    entry.count += 1
    if entry.examples.count < MigrationDataCheck.exampleLimit {
      entry.examples.append(MigrationFinding.Example(uri: object.uriText, value: value))
    }
    found[place] = entry
  }

  /// - Throws: `migration-constraint` with everything that was found.
  func throwFindings(path: String) throws {
    let findings = places.compactMap { place in
      found[place].map { entry in
        MigrationFinding(
          rule: place.rule.sentence, entity: place.entity, property: place.property, count: entry.count,
          examples: entry.examples, remedy: place.rule.remedy)
      }
    }
    if !findings.isEmpty { throw GraphStoreError.migration(findings, path: path) }
  }
}
