import GraphStorePredicates

/// The results of a fetch whose values are loaded block by block, when an element of a block is first
/// touched.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
/// request.fetchBatchSize = 50
/// let employees = try context.fetchBatched(request)
/// let last = employees[employees.count - 1]  // one statement, for the 50 elements around it
/// ```
///
/// The set of records, and their positions, is determined by the fetch and never changes: not by changes of
/// the context, and not by what others write. An element that was deleted keeps its position, as the deleted
/// object; one whose record is gone behaves as any inaccessible object.
///
/// The collection keeps the locations of all records, a word for each, the objects of the four blocks last
/// used, and unsaved objects. Sorting or filtering it touches, and so realises, every element, which defeats
/// the purpose of batches: sort and filter in the request. It belongs to its context's queue, as the objects
/// do.
public struct BatchedResults<Object: ManagedObject>: RandomAccessCollection {
  private let batches: ObjectBatches

  init(_ batches: ObjectBatches) { self.batches = batches }

  /// The number of elements of a block, but perhaps the last.
  public var batchSize: Int { batches.batchSize }

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of elements.
  public var endIndex: Int { batches.count }

  /// The element at a position; its block is loaded where it is not in memory, with one statement.
  ///
  /// Where that fails the element is a fault, which reads its record when its values are asked for; the error
  /// is kept in the context, reported to ``Diagnostics/onDeferredError``, and thrown by the next save.
  public subscript(position: Int) -> Object {
    unsafe unsafeDowncast(batches.element(at: position), to: Object.self)
  }

  /// The element at a position, as the subscript returns it.
  ///
  /// - Throws: What loading its block throws.
  public func object(at position: Int) throws -> Object {
    try unsafe unsafeDowncast(batches.object(at: position), to: Object.self)
  }

  /// The identifier of the element at a position; nothing is loaded.
  public func objectID(at position: Int) -> ManagedObjectID { batches.identifier(at: position) }
}

/// The blocks of one batched result.
final class ObjectBatches {
  /// The number of blocks that are retained.
  private static let heldBlocks = 4

  let batchSize: Int
  private let context: ManagedObjectContext
  private let request: FetchRequest<ManagedObject>
  private let records: RecordList
  /// Unsaved objects by position, which may have no other reference (FET-148).
  private let unsaved: [Int: ManagedObject]
  /// The blocks last used, the last one first.
  private var recent: [(number: Int, objects: [ManagedObject])] = []

  init(
    _ context: ManagedObjectContext, _ request: FetchRequest<ManagedObject>, _ records: RecordList,
    unsaved: [Int: ManagedObject]
  ) {
    self.context = context
    self.request = request
    self.records = records
    self.unsaved = unsaved
    batchSize = request.fetchBatchSize > 0 ? request.fetchBatchSize : Swift.max(records.count, 1)
  }

  var count: Int { records.count }

  func element(at position: Int) -> ManagedObject {
    do { return try object(at: position) } catch {
      context.keepDeferred(error)
      return fault(at: position)
    }
  }

  func object(at position: Int) throws -> ManagedObject {
    context.checkQueue()
    precondition(position >= 0 && position < count, "a position of the batched result")
    let number = position / batchSize
    if let known = held(number, position - number * batchSize) { return known }
    if let known = unsaved[position] { return known }
    if let known = records.registered(position, in: context), known.block != nil { return known }
    let objects = try context.loadBlock(
      records, number * batchSize..<Swift.min((number + 1) * batchSize, count), unsaved, request)
    recent.insert((number, objects), at: 0)
    if recent.count > Self.heldBlocks { recent.removeLast() }
    return objects[position - number * batchSize]
  }

  /// An object of a block that is held.
  private func held(_ number: Int, _ offset: Int) -> ManagedObject? {
    guard let place = recent.firstIndex(where: { $0.number == number }) else { return nil }
    let block = recent[place]
    guard !block.objects[offset].state.contains(.invalidated) else {
      // The context has forgotten everything.
      recent = []
      return nil
    }
    if place > 0 {
      recent.remove(at: place)
      recent.insert(block, at: 0)
    }
    return block.objects[offset]
  }

  func identifier(at position: Int) -> ManagedObjectID {
    let reference = records.reference(position)
    return unsaved[position]?.objectID
      ?? context.identifier(
        ObjectKey(entity: reference.entity, key: reference.key), storeIndex: records.storeIndex(position))
  }

  private func fault(at position: Int) -> ManagedObject {
    if let known = unsaved[position] { return known }
    let reference = records.reference(position)
    return context.fault(
      context.coordinator.layout.entities[reference.entity], key: reference.key,
      storeIndex: records.storeIndex(position))
  }
}
