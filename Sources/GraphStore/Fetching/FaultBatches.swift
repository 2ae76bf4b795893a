/// The lists of faults that fetches with a batch size have returned, by which a fault that fires loads its
/// neighbours too (FET-147).
struct FaultBatches {
  private var lists: [FaultList] = []

  var isEmpty: Bool { lists.isEmpty }

  /// Releases the lists whose faults have no reference any more; called before a fetch may make faults of the
  /// same records anew.
  mutating func removeUnused() { lists.removeAll { !$0.isInUse } }

  mutating func add(_ objects: [ManagedObject], of request: FetchRequest<ManagedObject>) {
    if let list = FaultList(objects, of: request) { lists.append(list) }
  }

  /// The faults without rows around one of them, itself among them, and what is prefetched for them; nil
  /// where it is in no list. If several lists have it, the newest counts.
  func block(around fault: ManagedObject) -> (objects: [ManagedObject], keyPaths: [String])? {
    for list in lists.reversed() {
      let objects = list.block(around: fault)
      if !objects.isEmpty { return (objects, list.keyPaths) }
    }
    return nil
  }
}

/// The records of one list of faults, retained by the holders of the list.
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

  /// Whether a fault of the list without its values is still referenced.
  var isInUse: Bool {
    (0..<records.count).contains { records.registered($0, in: context).map { $0.block == nil } ?? false }
  }
}
