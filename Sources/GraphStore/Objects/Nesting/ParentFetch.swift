import GraphStoreModel
import GraphStorePredicates

/// A plan whose rows are corrected by what a parent context has in memory; the store does everything else.
struct CorrectedFetch: StoreFetchPlan {
  private let plan: any StoreFetchPlan
  private let correction: RowCorrection

  init(_ plan: any StoreFetchPlan, by parent: ManagedObjectContext, storeIndex: Int32) {
    self.plan = plan
    correction = RowCorrection(of: parent, storeIndex: storeIndex)
  }

  var entity: EntityLayout { plan.entity }
  var residual: QueryPredicate? { plan.residual }
  var isSortedByStore: Bool { plan.isSortedByStore }
  var isWindowedByStore: Bool { plan.isWindowedByStore }
  var parts: [FetchExplanation.Part] { plan.parts }
  var hasAllFields: Bool { plan.hasAllFields }

  func rows(_ receive: (inout RowBatch) throws -> Void) throws {
    try plan.rows { try correction.correct(&$0, receive) }
  }

  func identifiers() throws -> [ObjectKey] { try plan.identifiers() }

  func count() throws -> Int { try plan.count() }

  func fields(_ receive: (any FieldRow) throws -> Void) throws { try plan.fields(receive) }

  func explanation() throws -> FetchExplanation { try plan.explanation() }
}

/// A plan by which a parent context answers a request itself, since its unsaved changes alter the answer of
/// the store: the store's rows, its changed and new objects, in order and in the window.
struct ParentFetch: StoreFetchPlan {
  let prepared: ManagedObjectContext.PreparedFetch
  let correction: PendingCorrection
  let output: StoreRequest.Output
  let session: ParentSession

  var entity: EntityLayout { prepared.entity }
  var residual: QueryPredicate? { nil }
  var isSortedByStore: Bool { true }
  var isWindowedByStore: Bool { true }
  var parts: [FetchExplanation.Part] { (try? session.base.plan(request(.rows)).parts) ?? [] }
  /// Fields are read from objects of the child.
  var hasAllFields: Bool { if case .fields = output { false } else { true } }

  private var parent: ManagedObjectContext { session.parent }
  private var storeIndex: Int32 { session.mount.index }

  private func request(_ output: StoreRequest.Output) -> StoreRequest {
    prepared.request.storeRequest(output)
  }

  func rows(_ receive: (inout RowBatch) throws -> Void) throws {
    let found = try parent.mergedRows(prepared, [session.mount], correction, with: reader) { rows, _ in
      var copies = PrivateRows()
      return try rows.compactMap { found -> (key: Int64, row: Row)? in
        if let row = found.row { return (found.id.key, row) }
        guard let object = parent.registeredObject(for: found.id) else { return nil }
        try object.realize()
        return object.currentRow.map { (object.key, copies.copy(of: $0)) }
      }
    }
    let corrected = RowCorrection(of: parent, storeIndex: storeIndex)
    try ParentSession.deliver(found) { try corrected.correct(&$0, receive) }
  }

  func identifiers() throws -> [ObjectKey] {
    try parent.mergedIdentifiers(prepared, [session.mount], correction, with: reader).map {
      ObjectKey(entity: $0.entityIndex, key: $0.key)
    }
  }

  func count() throws -> Int { try parent.mergedCount(prepared, [session.mount], correction) }

  func fields(_ receive: (any FieldRow) throws -> Void) throws {
    throw GraphStoreError(
      .internalInconsistency, "Fields were asked for that a parent context has in objects alone.",
      remedy: "This is a defect of the library, please report it.", entity: entity.entity.name)
  }

  func explanation() throws -> FetchExplanation {
    var explanation = try session.base.plan(request(.rows)).explanation()
    explanation.notes.append(
      "a parent context has unsaved changes: objects that they touch are judged in memory, whatever the store says"
    )
    return explanation
  }

  /// The parent's reader, with the session that the child has begun.
  private var reader: RequestReader { RequestReader(parent, sharing: session.base, on: session.mount) }
}
