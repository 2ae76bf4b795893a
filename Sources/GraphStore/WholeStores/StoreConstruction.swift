import Foundation
import GraphStoreModel

/// Builder of a new store that contexts fill under a temporary name, and that gets its own when it is whole.
///
/// A store that is made and then filled looks whole from the first moment, also where the process has died in
/// between. Here nothing is at the path until ``finish()``; what a process leaves that is killed is removed
/// by the next one that makes a store there. It belongs to one thread.
package final class StoreConstruction {
  private let destination: StoreDestination
  private let temporary: TemporaryStore
  private let isDocument: Bool

  /// Where the store lies until it is finished.
  package var path: String { temporary.path }

  /// Makes an empty store beside a path that is free, or holds an empty file.
  ///
  /// - Throws: `store-exists`, `migration-destination`, `not-supported` for the address of a server, and what
  ///   making the store throws.
  package init(at path: String, model: ManagedObjectModel, options: StoreOptions) throws {
    destination = try StoreDestination(path, from: nil, isReplacing: false, timeout: options.timeout)
    TemporaryStore.removeLeftovers(beside: destination.path)
    temporary = try TemporaryStore(beside: destination.path)
    temporary.takeUsualMode()
    isDocument = options.type ?? .sqlite != .sqlite
    try PersistentStoreCoordinator.create(storeAt: temporary.path, model: model, options: options).close()
  }

  /// Puts the store at its path; it must be closed.
  ///
  /// - Throws: `store-exists` where another one has been made there meanwhile; `disk-full`,
  ///   `store-save-failed`, `store-permission`.
  package func finish() throws {
    // A document is durable with each commit.
    if !isDocument { try temporary.finish() }
    try destination.place(temporary)
  }
}
