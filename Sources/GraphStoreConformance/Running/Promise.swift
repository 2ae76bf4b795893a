import GraphStore

/// Promise with what tests it.
struct Promise: Sendable {
  let promise: StorePromise
  /// Whether it is about saves that fail for a reason of the store's own.
  let needsObstruction: Bool
  let body: @Sendable (PromiseRun) throws -> Void

  init(
    _ name: String, _ rule: String, needs: Set<StoreFeature> = [], needsObstruction: Bool = false,
    _ body: @escaping @Sendable (PromiseRun) throws -> Void
  ) {
    promise = StorePromise(name: name, rule: rule, needs: needs)
    self.needsObstruction = needsObstruction
    self.body = body
  }

  /// All promises.
  static let all: [Promise] =
    ValuePromises.all + RelationshipPromises.all + DeletionPromises.all + InheritancePromises.all
    + FetchPromises.all + RandomFetchPromises.all + ResultPromises.all + FaultPromises.all
    + IdentifierPromises.all + SavePromises.all + ConflictPromises.all + EditingPromises.all
    + BatchPromises.all + MetadataPromises.all + SeveralStoresPromises.all + WriterPromises.all
}
