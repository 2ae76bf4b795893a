import Foundation
import GraphStoreModel

extension GraphStoreError {
  /// The reasons why a step between two versions cannot be inferred (MIG-101).
  init(_ error: InferenceError, from source: ModelVersion, to destination: ModelVersion) {
    let count = error.refusals.count == 1 ? "1 reason" : "\(error.refusals.count) reasons"
    self.init(
      .notInferable,
      "No mapping from \(source.label) to \(destination.label) can be inferred, for \(count).",
      remedy: error.refusals.first?.remedy ?? "Write a mapping for this step.",
      entity: error.refusals.first?.entity, property: error.refusals.first?.property, underlying: error)
    details = error.refusals.map(\.description)
  }

  /// The error that stores of a type are not migrated.
  static func notMigrated(_ type: StoreType, _ path: String) -> GraphStoreError {
    GraphStoreError(
      .notSupported, "\(path) is not migrated: stores of type \(type) are not.",
      remedy: "Make a store with the new model, and import what this one exports.")
  }

  /// The error that no chain of mappings leads from one version to another (MIG-049).
  static func noMapping(
    from source: ModelVersion, to destination: ModelVersion, reasons: [GraphStoreError], path: String
  ) -> GraphStoreError {
    var error = GraphStoreError(
      .mappingMissing,
      "\(path) cannot be migrated: there is no way from version \(source.label) to \(destination.label).",
      remedy: reasons.first?.remedy
        ?? "Write a mapping for the step from \(source.label) to \(destination.label).")
    error.details = reasons.flatMap(\.details)
    error.errors = reasons
    return error
  }

  /// The error that a store is of none of the known versions (MIG-008).
  static func noSourceModel(_ stored: StoredVersion, path: String, versions: ModelVersions?)
    -> GraphStoreError
  {
    var error = GraphStoreError(
      .sourceModelMissing,
      "\(path) carries no model that can be read, and was made with none of the known versions.",
      remedy: stored.isForeign
        ? "Give the directory with the version that it was made with, or that version's model itself."
        : "Give the directory with the version that it was made with.")
    error.details = lines(stored.recordedHashes, of: "the store")
    var nearest: (name: String, differing: [String])?
    for name in versions?.names ?? [] {
      guard let model = try? versions?.model(named: name) else { continue }
      let entities = stored.entities(of: model)
      let listed = stored.isForeign ? entities.listedHashes : nil
      let hashes = listed ?? entities.versionHashes
      let isComparable = listed != nil || !stored.isForeign
      error.details += lines(
        hashes, of: isComparable ? "version \(name)" : "version \(name), by GraphStore's own hashes")
      // Hashes of Core Data's say nothing about the library's own: there the names of the entities decide how
      // near it is.
      let differing = Set(hashes.keys).union(stored.recordedHashes.keys).filter { name in
        guard let hash = hashes[name], let recorded = stored.recordedHashes[name] else { return true }
        return isComparable && hash != recorded
      }
      if differing.count < nearest?.differing.count ?? .max { nearest = (name, differing.sorted()) }
    }
    if let nearest, !nearest.differing.isEmpty {
      error.details.append(
        "nearest is version \(nearest.name), which differs in \(nearest.differing.joined(separator: ", "))")
    }
    return error
  }

  private static func lines(_ hashes: [String: Data], of owner: String) -> [String] {
    hashes.sorted { $0.key < $1.key }.map { "\(owner): \($0.key) \(text($0.value))" }
  }

  private static func text(_ hash: some Sequence<UInt8>) -> String {
    hash.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "…"
  }

  /// The error that a store is newer than the version that is wanted (MIG-009, MIG-048).
  static func backward(from source: ModelVersion, to destination: ModelVersion, path: String)
    -> GraphStoreError
  {
    GraphStoreError(
      .migrationBackward,
      "\(path) has version \(source.label), which comes after \(destination.label): it is not migrated backwards.",
      remedy: "Open it with version \(source.label), or write a mapping from it to \(destination.label).")
  }

  /// The error that a migration was cancelled (MIG-293).
  static func migrationCancelled(_ cause: (any Error)?, path: String) -> GraphStoreError {
    GraphStoreError(
      .migrationCancelled, "The migration of \(path) was cancelled; the store is as it was.",
      remedy: "Run it again when there is time for it.", underlying: cause)
  }
}
