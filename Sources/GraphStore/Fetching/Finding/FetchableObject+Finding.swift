import GraphStorePredicates

/// The look-ups of a context, called on the class that is looked for; each does what the context's does.
extension FetchableObject where Self: ManagedObject {
  /// The objects that a request for the class selects; see ``ManagedObjectContext/fetch(of:configure:)``.
  ///
  /// ```swift
  /// let wellPaid = try Employee.fetch(in: context) {
  ///   $0.predicate = try QueryPredicate("salary > %@", 90_000)
  /// }
  /// print(wellPaid.count)
  /// ```
  ///
  /// - Throws: As that.
  public static func fetch(
    in context: ManagedObjectContext, configure: (inout FetchRequest<Self>) throws -> Void = { _ in }
  ) throws -> [Self] {
    try context.fetch(of: Self.self, configure: configure)
  }

  /// How many objects a request for the class selects; see ``ManagedObjectContext/count(of:configure:)``.
  ///
  /// - Throws: As that.
  public static func count(
    in context: ManagedObjectContext, configure: (inout FetchRequest<Self>) throws -> Void = { _ in }
  ) throws -> Int {
    try context.count(of: Self.self, configure: configure)
  }

  /// A registered object of the class for which a predicate is true; see
  /// ``ManagedObjectContext/registeredObject(of:matching:)-(Object.Type,_)``.
  ///
  /// - Throws: As that.
  public static func materializedObject(
    in context: ManagedObjectContext, matching predicate: QueryPredicate
  ) throws -> Self? {
    try context.registeredObject(of: Self.self, matching: predicate)
  }

  /// An object of the class for which a predicate is true, registered or fetched; see
  /// ``ManagedObjectContext/findOrFetch(of:matching:)-(Object.Type,_)``.
  ///
  /// - Throws: As that.
  public static func findOrFetch(
    in context: ManagedObjectContext, matching predicate: QueryPredicate
  ) throws -> Self? {
    try context.findOrFetch(of: Self.self, matching: predicate)
  }

  /// An object of the class for which a predicate is true, or a new one; see
  /// ``ManagedObjectContext/findOrCreate(of:matching:configure:)-(Object.Type,_,_)``.
  ///
  /// - Throws: As that.
  @discardableResult
  public static func findOrCreate(
    in context: ManagedObjectContext, matching predicate: QueryPredicate,
    configure: (Self) throws -> Void = { _ in }
  ) throws -> Self {
    try context.findOrCreate(of: Self.self, matching: predicate, configure: configure)
  }

  /// The one object of the class that a request selects, kept in the context under a key; see
  /// ``ManagedObjectContext/fetchSingle(cachedAs:_:)``.
  ///
  /// - Throws: As that.
  public static func fetchSingleObject(
    in context: ManagedObjectContext, cacheKey: String, configure: (inout FetchRequest<Self>) throws -> Void
  ) throws -> Self? {
    var request = Self.fetchRequest()
    try configure(&request)
    return try context.fetchSingle(cachedAs: cacheKey, request)
  }
}
