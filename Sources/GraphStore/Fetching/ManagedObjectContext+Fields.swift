import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// Hands over the values of fields of the objects that a request selects, one record at a time.
  ///
  /// Without unsaved changes no object is made and memory does not grow with the result. A field is a key
  /// path, which may run through to-one relationships (`department.name`), end in `@count`, or cross a
  /// to-many, which yields a list; or an expression such as `salary * 12`, whose variables are the request's.
  /// An expression that takes more than single values of a record, a sub-query for example, is computed of
  /// objects, as is everything where unsaved changes concern the result: relationships in
  /// `relationshipKeyPathsForPrefetching` are read together then, and are not read else.
  ///
  /// - Throws: as ``fetch(_:)->[ManagedObject]``; ``/GraphStorePredicates/QueryPredicateError`` for a field
  ///   that the entity does not have, or that cannot be computed.
  public func enumerateFields<Object>(
    _ request: FetchRequest<Object>, keyPaths: [String], _ receive: (any FieldRow) throws -> Void
  ) throws {
    checkQueue()
    let request = try named(request)
    _ = try counting(request, as: .dictionaries, objects: \.self) {
      var count = 0
      let prepared = try prepare(request)
      try enumerate(prepared, requestedFields(keyPaths, request, prepared)) { row in
        count += 1
        try receive(row)
      }
      return count
    }
  }

  private func enumerate(
    _ prepared: PreparedFetch, _ fields: RequestedFields, _ receive: (any FieldRow) throws -> Void
  ) throws {
    let options = prepared.request.evaluation
    if let mounts = mountsOfFields(prepared, fields) {
      let computation = try fields.computation(options)
      let isRead = try readingParts(prepared.request.storeRequest(.fields(fields.paths)), from: mounts) {
        plan, mount in
        guard let computation else { return try plan.fields(receive) }
        try plan.fields { try receive(computation.row(of: $0, in: mount.scope)) }
      }
      if isRead { return }
    }
    let objectFields = try fields.objectFields(options)
    for object in try objects(prepared) {
      try receive(try readingStoredValues { try ObjectFieldRow(object, fields: objectFields) })
    }
  }

  /// The stores that read fields without objects being made, as far as their plans do; nil where memory has
  /// to.
  func mountsOfFields(_ prepared: PreparedFetch, _ fields: RequestedFields) -> [Mount]? {
    guard fields.isReadByPaths,
      case .stores(let mounts) = route(
        of: prepared, inParts: isSimple(prepared.request), shown: fields.expressions)
    else { return nil }
    return mounts
  }

  /// Whether the answer is that of each store in turn.
  private func isSimple(_ request: FetchRequest<ManagedObject>) -> Bool {
    request.sortDescriptors.isEmpty && request.fetchLimit == 0 && request.fetchOffset == 0
  }

  /// Shows the values of fields of one object, as ``enumerateFields(_:keyPaths:_:)`` does of many.
  public func fields(of object: ManagedObject, keyPaths: [String]) throws -> any FieldRow {
    checkQueue()
    let fields = try RequestedFields(keyPaths, PredicateTypeChecker(entity: object.entity))
    let options = EvaluationOptions(logic: .threeValued, locale: locale, now: Date(), functions: functions)
    return try readingStoredValues {
      try ObjectFieldRow(object, fields: fields.objectFields(options))
    }
  }

  /// The fields that a request is asked for, checked.
  func requestedFields(
    _ texts: [String], _ request: FetchRequest<ManagedObject>, _ prepared: PreparedFetch
  ) throws -> RequestedFields {
    var checker = PredicateTypeChecker(entity: prepared.entity.entity) { [coordinator] text in
      coordinator.objectReference(text)
    }
    checker.now = prepared.request.now
    checker.functions = functions
    return try RequestedFields(texts, variables: request.variables, checker)
  }
}
