import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// Hands over the values of key paths of the objects that a request selects, one record at a time.
  ///
  /// Without unsaved changes no object is made and memory does not grow with the result. A key path may run through
  /// to-one relationships (`department.name`), end in `@count`, or cross a to-many, which gives a list.
  ///
  /// - Throws: as ``fetch(_:)->[ManagedObject]``; ``/GraphStorePredicates/QueryPredicateError`` for a key path that the
  ///   entity does not have.
  public func enumerateFields<Object>(
    _ request: FetchRequest<Object>, keyPaths: [String], _ receive: (any FieldRow) throws -> Void
  ) throws {
    checkQueue()
    let request = try named(request)
    _ = try counting(request, as: .dictionaries, objects: \.self) {
      var count = 0
      try enumerate(prepare(request), keyPaths: keyPaths) { row in
        count += 1
        try receive(row)
      }
      return count
    }
  }

  private func enumerate(
    _ prepared: PreparedFetch, keyPaths: [String], _ receive: (any FieldRow) throws -> Void
  ) throws {
    let resolved = try resolve(keyPaths, of: prepared.entity.entity)
    let mounts = mounts(for: prepared)
    if !needsCorrection(prepared), mounts.count == 1 || isSimple(prepared.request) {
      let plans = try mounts.map { try source.plan(prepared.request, .fields(keyPaths), on: $0) }
      if plans.allSatisfy(\.runsInStore) {
        for (mount, plan) in zip(mounts, plans) {
          try readingOnce(from: mount.index, for: .runsCallbacks) { try $0.fields(plan, receive) }
        }
        return
      }
    }
    let fields = try zip(keyPaths, resolved).map { try ObjectField($0, $1) }
    for object in try objects(prepared) {
      try receive(try readingStoredValues { try ObjectFieldRow(object, fields: fields) })
    }
  }

  /// Whether the answer is that of each store in turn.
  private func isSimple(_ request: FetchRequest<ManagedObject>) -> Bool {
    request.sortDescriptors.isEmpty && request.fetchLimit == 0 && request.fetchOffset == 0
  }

  /// Shows the values of key paths of one object, as ``enumerateFields(_:keyPaths:_:)`` does of many.
  public func fields(of object: ManagedObject, keyPaths: [String]) throws -> any FieldRow {
    checkQueue()
    let resolved = try resolve(keyPaths, of: object.entity)
    return try readingStoredValues {
      try ObjectFieldRow(object, fields: zip(keyPaths, resolved).map { try ObjectField($0, $1) })
    }
  }

  private func resolve(_ keyPaths: [String], of entity: EntityDescription) throws -> [ResolvedKeyPath] {
    let checker = PredicateTypeChecker(entity: entity)
    return try keyPaths.map { try checker.resolve(field: $0) }
  }
}
