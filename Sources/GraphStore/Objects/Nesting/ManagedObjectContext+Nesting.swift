import GraphStoreModel

extension ManagedObjectContext {
  /// Makes a child of a context: it reads from its parent, and saves to it.
  ///
  /// A child sees the objects of its parent, unsaved changes included, as instances of its own. What it
  /// saves becomes unsaved changes of the parent, and reaches the stores when the topmost context of the
  /// chain is saved; what it does not save, its parent never sees. It holds its parent.
  ///
  /// A fetch, a fault that fires and a save of the child wait for the parent's queue and occupy it while they
  /// last.
  ///
  /// ```swift
  /// let pad = ManagedObjectContext(parent: context)
  /// try pad.performAndWait {
  ///   let draft = try pad.insert(Employee.self)
  ///   draft.name = "Ada"
  ///   try pad.save()
  /// }
  /// try context.save()
  /// ```
  ///
  /// - Parameters:
  ///   - parent: The context to read from and to save to.
  ///   - concurrencyType: The kind of the child's own queue.
  public convenience init(
    parent: ManagedObjectContext, concurrencyType: ConcurrencyType = .privateQueue
  ) {
    self.init(
      parent, concurrencyType == .mainQueue ? .main : .ofItsOwn, isGuarded: ConcurrencyGuard.isOn)
  }

  /// The topmost context of the chain, which saves to the stores; of a context without parent itself.
  var rootContext: ManagedObjectContext {
    var context = self
    while let parent = context.parent { context = parent }
    return context
  }

  /// Does something for which the context reads from its source: a child has all contexts above it to itself
  /// meanwhile, and knows which of its objects they have given permanent identifiers.
  @inline(__always)
  func readingFromSource<Result>(_ body: () throws -> Result) throws -> Result {
    parent == nil ? try body() : try readingFromParent(body)
  }

  @inline(never)
  private func readingFromParent<Result>(_ body: () throws -> Result) throws -> Result {
    try source.occupied {
      synchronizeChain()
      return try body()
    }
  }

  /// Has this context and all above it, which the thread has to itself, adopt what was done for the whole
  /// family: they look each other's objects up by key.
  func synchronizeChain() {
    var next: ManagedObjectContext? = self
    while let context = next, let parent = context.parent {
      context.synchronizeWithFamily()
      next = parent
    }
  }

  /// Adopts what contexts above have done for the whole family: permanent identifiers, whether they take part
  /// in a transaction, and whether they are pinned.
  func synchronizeWithFamily() {
    registry.isInTransaction = family.isInTransaction
    fetching.sharesRowCache = !family.isPinned
    adoptSavedIdentifiers()
  }
}
