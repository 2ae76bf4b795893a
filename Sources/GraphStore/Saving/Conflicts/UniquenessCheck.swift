import GraphStoreModel
import OrderedCollections

/// Search for the objects of a save that break uniqueness constraints, in the context first, then in the
/// store.
///
/// It runs once a store has refused a row, so that a save without conflicts pays nothing for it; the store is
/// asked with one statement a constraint (CTX-230).
struct UniquenessCheck {
  private let context: ManagedObjectContext
  private let save: StoreSave

  /// The values of an object under a constraint.
  private struct Claim: Hashable {
    let constraint: UniquenessConstraint
    let values: [UInt8]
  }

  private struct Candidate {
    let object: ManagedObject
    let row: Row
    /// Whether the stored record has other values, or there is none.
    let isNew: Bool
  }

  /// Updated objects whose rows are written: others, of which only links change, may have old values.
  private let written: Set<ManagedObject>
  private let updated: Set<ManagedObject>
  private let candidates: OrderedDictionary<Claim, [Candidate]>

  init(_ save: StoreSave, in context: ManagedObjectContext) {
    self.context = context
    self.save = save
    written = Set(save.written)
    updated = Set(save.changes.updated)
    candidates = Self.candidates(among: save.changes.inserted + save.written)
  }

  private static func candidates(among objects: [ManagedObject]) -> OrderedDictionary<Claim, [Candidate]> {
    var found: OrderedDictionary<Claim, [Candidate]> = [:]
    for object in objects {
      guard let row = object.currentRow else { continue }
      for constraint in object.layout.uniquenessConstraints {
        let properties = object.layout.properties(of: constraint)
        guard let values = row.claim(properties) else { continue }
        let committed = object.isInserted ? nil : object.committedRow?.claim(properties)
        found[Claim(constraint: constraint, values: values), default: []]
          .append(Candidate(object: object, row: row, isNew: committed != values))
      }
    }
    return found
  }

  /// The conflicts among objects of the context.
  func conflictsInContext() -> [ConstraintConflict] {
    candidates.compactMap { claim, candidates in
      guard candidates.count > 1 else { return nil }
      // Stored objects are first, then those inserted first.
      let stored = candidates.filter { !$0.isNew } + candidates.filter { $0.isNew && !$0.object.isInserted }
      let objects = (stored + candidates.filter(\.object.isInserted)).map(\.object)
      return ConstraintConflict(claim.constraint, among: objects, database: nil)
    }
  }

  /// The conflicts with stored records that the save neither deletes nor changes.
  func conflictsWithStore() throws -> [ConstraintConflict] {
    var asked: OrderedDictionary<UniquenessConstraint, [Candidate]> = [:]
    for (claim, candidates) in candidates {
      asked[claim.constraint, default: []] += candidates.filter(\.isNew)
    }
    var conflicts: [ConstraintConflict] = []
    for (constraint, candidates) in asked where !candidates.isEmpty {
      let rows = candidates.map { SaveRequest.FetchedRow(key: $0.object.key, row: $0.row) }
      let holders = try context.readingOnce(from: save.mount.index) { session in
        try session.holders(of: constraint, rows: rows)
      }
      for found in holders {
        guard let database = try databaseObject(found.holder) else { continue }
        let object = candidates[found.position].object
        // An object of which only links change is one of the context, and known now to have the value.
        conflicts.append(
          updated.contains(database.0)
            ? ConstraintConflict(constraint, among: [database.0, object], database: nil)
            : ConstraintConflict(constraint, among: [object], database: database))
      }
    }
    return conflicts
  }

  /// The object of a record that is in the way; nil where the save deletes it or has changed its values.
  private func databaseObject(_ holder: ObjectKey) throws -> (ManagedObject, Row)? {
    let object = context.object(
      PackedReference(entity: holder.entity, key: holder.key), storeIndex: save.mount.index)
    guard let object, !object.isDeleted, !written.contains(object),
      let row = try object.currentRow ?? context.row(for: object)
    else { return nil }
    return (object, row)
  }
}
