import Foundation
import Synchronization
import Testing

@testable import GraphStore

/// Two contexts of one stack: one that saves, and one that merges.
struct SavingAndMerging {
  let stack: TestStack
  let here: ManagedObjectContext
  var there: ManagedObjectContext { stack.context }

  init(_ model: ModelDefinition = TestModels.company()) throws {
    stack = try TestStack(model)
    here = stack.newContext()
  }

  /// Inserts an object with values, saved.
  func saved(_ entity: String, _ values: [String: Any] = [:]) throws -> ManagedObject {
    let object = try there.insert(entity, values)
    try there.save()
    return object
  }

  /// The object of a record in the context that merges, with its values.
  func mine(_ object: ManagedObject) throws -> ManagedObject {
    try here.existingObject(with: object.objectID)
  }

  /// Saves, and merges the save.
  func saveAndMerge() throws { try here.mergeChanges(fromContextDidSave: try there.saveTakingChanges()) }

  /// Checks both contexts.
  func checkInvariants() throws {
    try here.checkInvariants()
    try there.checkInvariants()
  }
}

extension ManagedObjectContext {
  /// Saves, and gives what the save has told.
  func saveTakingChanges() throws -> SavedChanges {
    var changes: SavedChanges?
    let token = observe(.didSave) { changes = SavedChanges($0) }
    defer { token.cancel() }
    try save()
    return try #require(changes)
  }
}

/// What observers of a context have been told.
final class ToldByContext {
  private(set) var changes: [ObjectsDidChange] = []
  private(set) var merges: [ContextDidMerge] = []
  /// The kinds of messages, in their order.
  private(set) var order: [String] = []
  private var tokens: [ContextObservation] = []

  init(_ context: ManagedObjectContext) {
    tokens = [
      context.observe(.objectsDidChange) { [unowned self] in
        changes.append($0)
        order.append("change")
      },
      context.observe(.didMerge) { [unowned self] in
        merges.append($0)
        order.append("merge")
      },
    ]
  }

  func forget() {
    changes = []
    merges = []
    order = []
  }
}

/// The merges of a context that has a queue of its own.
final class RecordedMerges: @unchecked Sendable {
  private let context: ManagedObjectContext
  private let merges = Mutex<[ContextDidMerge]>([])
  /// Belongs to the context's queue.
  private var token: ContextObservation?

  init(_ context: ManagedObjectContext) {
    self.context = context
    context.performAndWait {
      token = context.observe(.didMerge) { [unowned self] merged in merges.withLock { $0.append(merged) } }
    }
  }

  var all: [ContextDidMerge] { merges.withLock(\.self) }
  var inserted: [ManagedObjectID] { all.flatMap { $0.inserted.sorted() } }
  var deleted: [ManagedObjectID] { all.flatMap { $0.deleted.sorted() } }

  func end() { context.performAndWait { token = nil } }
}
