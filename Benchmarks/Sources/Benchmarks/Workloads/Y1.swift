import GraphStore

extension Workload {
  /// Pinned contexts: of the newest state, and of one after which others have saved.
  static func y1(_ project: ProjectStore) -> Workload {
    Workload(
      id: "Y1", title: "F1 in a pinned context", goal: "≤ 1.05 × F1 unpinned",
      expected: { Numbers.answer(rows: Numbers.fetched) },
      contenders: {
        let path = try project.numbers(rows: Numbers.fetched)
        let holder = StateHolder()
        return [
          try ProjectRead(path) {
            try $0.setQueryGenerationFrom(.current)
            return try fetchAll($0)
          },
          try ProjectRead(path, name: "at a former state", side: .peer) {
            try $0.setQueryGenerationFrom(holder.token(in: $0.coordinator))
            return try fetchAll($0)
          },
          try ProjectRead(path, name: "unpinned (F1)", side: .floor) { try fetchAll($0) },
        ]
      })
  }

  private static func fetchAll(_ context: ManagedObjectContext) throws -> Answer {
    NumbersObject.answer(try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
  }
}

/// A context that keeps a state after which another one has saved, records that are gone again.
private final class StateHolder {
  private var context: ManagedObjectContext?

  func token(in coordinator: PersistentStoreCoordinator) throws -> QueryGenerationToken? {
    if let context { return context.queryGenerationToken }
    let made = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
    try made.setQueryGenerationFrom(.current)
    _ = try made.count(for: FetchRequest(entityName: "Numbers"))
    let writer = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
    let object = try writer.insert(entityNamed: "Numbers")
    try writer.save()
    try writer.delete(object)
    try writer.save()
    context = made
    return made.queryGenerationToken
  }
}
