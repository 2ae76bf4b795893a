import GraphStoreModel
import GraphStorePredicates

/// The answer of a request as it is put together in memory: what is wanted of each record, in the order of
/// the request.
struct MergedRecords<Element> {
  private var elements: [Element] = []
  private var places: [RecordLocation] = []
  /// The records, where their sort keys are compared in memory; else empty.
  private var records: [StoredRecord] = []

  private let request: FetchRequest<ManagedObject>
  private let order: PlaceOrder
  private let comparesKeys: Bool
  private let evaluator: SortEvaluator
  /// What the sort keys are read from.
  private let paths: RelationshipPaths
  private let check: () throws -> Void

  /// - Parameters:
  ///   - comparesKeys: Whether records are going to be sorted, or others put among them, by sort descriptors.
  ///   - check: Called again and again while records are sorted; what it throws ends the work.
  init(
    _ request: FetchRequest<ManagedObject>, of entity: EntityDescription, comparesKeys: Bool,
    checking check: @escaping () throws -> Void
  ) throws {
    self.request = request
    self.comparesKeys = comparesKeys
    self.check = check
    order = PlaceOrder(request)
    evaluator = try SortEvaluator(request.sortDescriptors, options: request.evaluation)
    paths =
      comparesKeys ? RequestDependencies(entity, nil, request.sortDescriptors).paths : RelationshipPaths()
  }

  /// The answer; it has to be in order.
  var inOrder: [Element] { elements }

  var count: Int { elements.count }

  /// Records the records of a batch, whose elements ``add(_:isOrdered:)`` gets in the same order.
  mutating func note(_ batch: RowBatch, _ reading: StoreReading) {
    batch.forEach { key, row in
      places.append(RecordLocation(storeIndex: reading.storeIndex, key: key))
      if comparesKeys { records.append(StoredRecord(in: reading, key: key, row: row)) }
    }
  }

  /// Adds what is wanted of the records of one store.
  ///
  /// - Parameter isOrdered: Whether they are in the order of the request.
  mutating func add(_ found: [Element], isOrdered: Bool) throws {
    let first = elements.count
    elements += found
    if !isOrdered { try sort(from: first) }
  }

  // MARK: Order

  /// Sorts all, by descriptors and then by position.
  mutating func sortByKeys() throws {
    guard comparesKeys, elements.count > 1 else { return }
    rearrange(from: 0, try sortedPositions(from: 0))
  }

  /// Sorts what was added last.
  private mutating func sort(from first: Int) throws {
    let positions = places.indices[first...].sorted { order.precedes(places[$0], places[$1]) }
    rearrange(from: first, positions.map { $0 - first })
    guard comparesKeys else { return }
    rearrange(from: first, try sortedPositions(from: first))
  }

  /// The positions of the records from one on in the order of their sort keys.
  private func sortedPositions(from first: Int) throws -> [Int] {
    let sorted = records[first...]
    return try evaluator.sortedPositions(
      of: sorted.map { .source($0) }, inBlocksOf: RelationshipPaths.mostRecords,
      preparing: { try prefetch(for: sorted[(first + $0.lowerBound)..<(first + $0.upperBound)]) },
      checking: check)
  }

  /// Reads what the sort keys of records lead to.
  private func prefetch(for records: ArraySlice<StoredRecord>) throws {
    if paths.isEmpty { return }
    var rest = records
    while let search = rest.first?.search {
      let together = rest.prefix { $0.search === search }
      try search.prefetch(paths, of: together.map { KeyedRow(key: $0.key, row: $0.row) })
      rest = rest[together.endIndex...]
    }
  }

  private mutating func rearrange(from first: Int, _ positions: [Int]) {
    elements.replaceSubrange(first..., with: positions.map { elements[first + $0] })
    places.replaceSubrange(first..., with: positions.map { places[first + $0] })
    if comparesKeys { records.replaceSubrange(first..., with: positions.map { records[first + $0] }) }
  }

  /// Puts changed and new objects, which are in order, at the positions that their values determine
  /// (FET-060).
  mutating func insert(_ objects: [ManagedObject], _ element: (ManagedObject) -> Element) throws {
    guard !objects.isEmpty else { return }
    var (merged, rest) = ([Element](), 0)
    merged.reserveCapacity(elements.count + objects.count)
    for object in objects {
      let end = try positionBehind(object, from: rest)
      merged += elements[rest..<end]
      merged.append(element(object))
      rest = end
      try check()
    }
    merged += elements[rest...]
    elements = merged
    places = []
    records = []
  }

  /// The position of the first element that an object precedes, by bisection.
  private func positionBehind(_ object: ManagedObject, from first: Int) throws -> Int {
    let keys = comparesKeys ? try evaluator.values(of: .source(object)) : []
    let place = RecordLocation(object)
    var (low, high) = (first, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if try precedes(keys, place, middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func precedes(_ keys: [Value], _ place: RecordLocation, _ position: Int) throws -> Bool {
    if comparesKeys {
      switch evaluator.order(keys, try evaluator.values(of: .source(records[position]))) {
      case .orderedAscending: return true
      case .orderedDescending: return false
      case .orderedSame: break
      }
    }
    return order.precedes(place, places[position])
  }
}

/// The order of records that are equal in all that a request sorts by: store by store, by key in the
/// direction of the last descriptor, unsaved objects last in order of insertion (FET-046, FET-047).
struct PlaceOrder {
  private let isAscending: Bool

  init(_ request: FetchRequest<ManagedObject>) {
    isAscending = request.sortDescriptors.last?.ascending ?? true
  }

  func precedes(_ left: RecordLocation, _ right: RecordLocation) -> Bool {
    if (left.key < 0) != (right.key < 0) { return right.key < 0 }
    if left.key < 0 { return left.key > right.key }
    if left.storeIndex != right.storeIndex { return left.storeIndex < right.storeIndex }
    return isAscending ? left.key < right.key : left.key > right.key
  }
}
