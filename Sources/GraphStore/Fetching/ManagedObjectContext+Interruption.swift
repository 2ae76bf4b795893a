extension ManagedObjectContext {
  /// Called before a request begins, and again and again while objects are judged and sorted in memory.
  ///
  /// - Throws: `cancelled` in a task that was cancelled (CTX-321), `sqlite` while the stores are stopped.
  func checkInterruption() throws {
    if RequestCancellation.isRequested { throw GraphStoreError.cancelledRequest }
    if coordinator.stopFlag.load(ordering: .relaxed) {
      throw GraphStoreError(.sqlite, "The request was interrupted.", remedy: "Try again.")
    }
  }
}

extension GraphStoreError {
  /// The error of a request whose task was cancelled.
  package static var cancelledRequest: GraphStoreError {
    GraphStoreError(
      .cancelled, "The task was cancelled before its request had ended.",
      remedy: "Nothing is wrong: run the request in another task if its answer is still wanted.")
  }
}
