import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ManagedObjectContext {
  /// Hands over the values of fields of the objects that a request selects, one record at a time.
  ///
  /// Without unsaved changes no object is made and memory does not grow with the result. A field is a key
  /// path, which may run through to-one relationships (`department.name`), end in `@count`, or cross a
  /// to-many, which gives a list; or an expression such as `salary * 12`, whose variables are the request's.
  /// An expression that takes more than single values of a record, a sub-query for example, is computed of
  /// objects, as is everything with unsaved changes of what is looked at: what
  /// `relationshipKeyPathsForPrefetching` names is read together then, and needs no reading else.
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

/// The lists of faults that fetches with a batch size have given out, by which a fault that fires brings its
/// neighbours along (FET-147).
struct FaultBatches {
  private var lists: [FaultList] = []

  var isEmpty: Bool { lists.isEmpty }

  /// Lets go of the lists whose faults nobody holds any more; asked before a fetch may make faults of the
  /// same records anew.
  mutating func removeUnused() { lists.removeAll { !$0.isInUse } }

  mutating func add(_ objects: [ManagedObject], of request: FetchRequest<ManagedObject>) {
    if let list = FaultList(objects, of: request) { lists.append(list) }
  }

  /// The faults without rows around one of them, itself among them, and what is prefetched for them; nil
  /// where it is in no list. Of several lists the newest counts.
  func block(around fault: ManagedObject) -> (objects: [ManagedObject], keyPaths: [String])? {
    for list in lists.reversed() {
      let objects = list.block(around: fault)
      if !objects.isEmpty { return (objects, list.keyPaths) }
    }
    return nil
  }
}

/// The records of one list of faults, which whoever holds the list holds.
private final class FaultList {
  let keyPaths: [String]
  private unowned let context: ManagedObjectContext
  private let batchSize: Int
  private let records: RecordList
  /// By store: the positions by key.
  private var positions: [Int32: KeyTable<Int32>] = [:]
  private let rootIndex: Int

  /// - Returns: nil for an empty list.
  init?(_ objects: [ManagedObject], of request: FetchRequest<ManagedObject>) {
    guard let first = objects.first, let context = first.context else { return nil }
    self.context = context
    batchSize = request.fetchBatchSize
    keyPaths = request.relationshipKeyPathsForPrefetching
    rootIndex = first.layout.rootIndex
    records = RecordList(objects)
    for (position, object) in objects.enumerated() where object.block == nil {
      let table = positions[object.storeIndex] ?? KeyTable<Int32>(empty: -1)
      positions[object.storeIndex] = table
      let place = unsafe table.add(object.key)
      unsafe place.pointee = Int32(truncatingIfNeeded: position)
    }
  }

  func block(around fault: ManagedObject) -> [ManagedObject] {
    guard fault.layout.rootIndex == rootIndex, let place = unsafe positions[fault.storeIndex]?.find(fault.key)
    else { return [] }
    let start = Int(unsafe place.pointee) / batchSize * batchSize
    return (start..<min(start + batchSize, records.count)).compactMap { position in
      records.registered(position, in: context).flatMap { $0.block == nil ? $0 : nil }
    }
  }

  /// Whether somebody holds a fault of the list that has not got its values.
  var isInUse: Bool {
    (0..<records.count).contains { records.registered($0, in: context).map { $0.block == nil } ?? false }
  }
}
