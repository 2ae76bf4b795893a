import GraphStore

extension ManagedObjectContext {
  /// Makes a context that the thread of the test uses without blocks.
  ///
  /// The suite runs with the concurrency guard on (DGN-099), and a test is one function, which runs from end
  /// to end on a thread of the pool: with a private-queue context all of its body would be one block. In the
  /// test targets this takes precedence over the library's `init(coordinator:concurrencyType:)` where no kind
  /// is named, so that such a context belongs to the thread that makes it. The guard holds it to that: an
  /// object that one test leaves to another, or to a thread that it starts, ends the run. Tests of queues
  /// name the kind, and get what programs get.
  package convenience init(coordinator: PersistentStoreCoordinator) {
    self.init(confinedToThread: coordinator)
  }
}
