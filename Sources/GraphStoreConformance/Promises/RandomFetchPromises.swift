import GraphStore

/// Promises about fetches that are made at random; what they find is compared with the library's own store in
/// memory, which has the same objects.
enum RandomFetchPromises {
  private static let count = 40

  /// A store with items, and one in memory with the same, told apart by their names.
  private static func makeStores(
    _ run: PromiseRun, _ random: inout SeededGenerator
  ) throws -> (store: TestedStore, oracle: PersistentStoreCoordinator) {
    var (first, second) = (random, random)
    let store = try run.makeStore { try SampleItems.insert(count, in: $0, &first) }
    try store.reopen()
    let oracle = try PersistentStoreCoordinator.inMemory(model: SampleModel.model)
    try ManagedObjectContext(coordinator: oracle).use { context in
      try SampleItems.insert(count, in: context, &second)
      try context.save()
    }
    random = first
    return (store, oracle)
  }

  private static func names(
    of request: FetchRequest<ManagedObject>, _ coordinator: PersistentStoreCoordinator
  ) throws -> [String] {
    try ManagedObjectContext(coordinator: coordinator).use { try $0.fetch(request).map { try $0.name } }
  }

  static let all = [
    Promise("fetching.predicates", "The same predicate finds the same objects in stores of every type.") {
      run in
      var random = run.makeGenerator()
      let (store, oracle) = try makeStores(run, &random)
      for _ in 0..<150 {
        let request = FetchRequest(
          entityName: "Item",
          predicate: try QueryPredicate(parsing: SampleItems.predicate(&random, depth: 3)),
          sortDescriptors: [try QuerySortDescriptor(parsing: "name")])
        let found = try names(of: request, store.coordinator)
        try run.expect("\(request)", found, try names(of: request, oracle))
        let count = try store.use { try $0.count(for: request) }
        try run.expect("the count for \(request)", count, found.count)
      }
    },
    Promise("fetching.orders", "The same sort descriptors give the same order in stores of every type.") {
      run in
      var random = run.makeGenerator()
      let (store, oracle) = try makeStores(run, &random)
      for _ in 0..<60 {
        let request = FetchRequest(
          entityName: "Item",
          sortDescriptors: try SampleItems.order(&random).map { try QuerySortDescriptor(parsing: $0) })
        try run.expect(
          "\(request)", try names(of: request, store.coordinator), try names(of: request, oracle))
      }
    },
    Promise("fetching.windows", "Limit and offset cut a window out of the ordered result.") { run in
      var random = run.makeGenerator()
      let (store, _) = try makeStores(run, &random)
      for _ in 0..<60 {
        var request = FetchRequest(
          entityName: "Item",
          predicate: random.chance(50) ? try QueryPredicate(parsing: "amount >= 0 OR text == nil") : nil,
          sortDescriptors: try SampleItems.order(&random).map { try QuerySortDescriptor(parsing: $0) })
        let whole = try names(of: request, store.coordinator)
        request.fetchOffset = Int.random(in: 0...count + 2, using: &random)
        request.fetchLimit = Int.random(in: 0...count, using: &random)
        let rest = whole.dropFirst(request.fetchOffset)
        let window = request.fetchLimit == 0 ? rest : rest.prefix(request.fetchLimit)
        try run.expect("\(request)", try names(of: request, store.coordinator), Array(window))
      }
    },
  ]
}
