import GraphStoreModel
import GraphStorePredicates

/// Record that is new to a store, and has its key already.
package struct NewRecord {
  let layout: EntityLayout
  let key: Int64
  /// Its values; nil where they are not known.
  let row: Row?
}

/// Naming of new records by a store that makes references itself.
struct NodeNaming: Sendable {
  /// Makes the reference of a new object from its entity and its values.
  typealias Maker = @Sendable (String, [String: Value]) throws -> NodeReference

  let references: NodeReferenceTable
  private let make: Maker

  init(_ references: NodeReferenceTable, _ make: @escaping Maker) {
    (self.references, self.make) = (references, make)
  }

  /// Names a record, unless it has a reference.
  ///
  /// - Parameter isThere: Whether the store has a record with a key, of the same entity tree.
  /// - Throws: `store-save-failed` for a reference that another record has, and where none is made.
  func assign(to record: NewRecord, isThere: (Int64) -> Bool) throws {
    let entity = record.layout.entity
    let root = entity.rootEntity.name
    if references.reference(of: record.key, in: root) != nil { return }
    let reference = try reference(of: record)
    guard reference != .text("") else {
      throw failure(entity, "was to get an empty text as its reference")
    }
    if let holder = references.knownKey(of: reference, in: root), isThere(holder) {
      throw failure(entity, "was to get the reference \(reference), which another object has")
    }
    references.assign(reference, to: record.key, in: root)
  }

  /// Names the records of a state that are new, and have no reference: those that were written without
  /// objects.
  func assignMissing(in state: InMemoryState, since former: InMemoryState) throws {
    for root in state.schema.layout.entities where root.index == root.rootIndex {
      let name = root.entity.name
      try state.scan(root.index) { key, row in
        if former.row(root.index, key) == nil, references.reference(of: key, in: name) == nil {
          let record = NewRecord(layout: row.layout, key: key, row: row)
          try assign(to: record) { $0 != key && state.row(root.index, $0) != nil }
        }
        return true
      }
    }
  }

  private func reference(of record: NewRecord) throws -> NodeReference {
    let entity = record.layout.entity
    let values = try record.row?.nodeValues() ?? [:]
    do {
      return try make(entity.name, values)
    } catch {
      throw failure(entity, "could not get a reference: \(error)", error)
    }
  }

  private func failure(
    _ entity: EntityDescription, _ problem: String, _ cause: (any Error)? = nil
  ) -> GraphStoreError {
    GraphStoreError(
      .storeSaveFailed, "A new object of \(entity.name) \(problem).",
      remedy: "Change the values of which the store makes references; nothing was written.",
      entity: entity.name, underlying: cause)
  }
}
