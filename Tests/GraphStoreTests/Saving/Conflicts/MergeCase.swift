import Foundation
import GraphStore

/// Who changes a record meanwhile.
enum OtherWriter: String, CaseIterable, Sendable {
  /// Another context of the same coordinator: object snapshot against row cache.
  case context
  /// Another coordinator: row cache against store.
  case process
}

/// The predefined policies by name, for the arguments of tests.
enum PolicyCase: String, CaseIterable, Sendable {
  case error, store, object, overwrite, rollback

  static let settling: [PolicyCase] = [.store, .object, .overwrite, .rollback]

  var policy: MergePolicy {
    switch self {
    case .error: .error
    case .store: .mergeByPropertyStoreTrump
    case .object: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    }
  }
}

/// Two writers on one store.
struct TwoWriters {
  let stack: TestStack
  let mine: ManagedObjectContext
  let theirs: ManagedObjectContext

  init(
    _ model: ModelDefinition, _ writer: OtherWriter, _ policy: MergePolicy = .error,
    classes: [String: ManagedObject.Type] = [:], filling fill: (ManagedObjectContext) throws -> Void
  ) throws {
    stack = try TestStack(model, classes: classes)
    let first = stack.newContext()
    try fill(first)
    try first.save()
    mine = stack.context
    mine.mergePolicy = policy
    theirs = writer == .context ? stack.newContext() : try stack.otherProcess()
  }

  /// What a store has in the end, read by somebody new.
  func stored() throws -> ManagedObjectContext { try stack.otherProcess() }
}

extension ManagedObjectContext {
  /// The only object of an entity.
  func only(_ entity: String) throws -> ManagedObject {
    let found = try all(entity)
    guard found.count == 1 else { throw TooMany(count: found.count) }
    _ = try found[0].value(forKey: "name")
    return found[0]
  }

  struct TooMany: Error { let count: Int }
}
