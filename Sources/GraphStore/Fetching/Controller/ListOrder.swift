import GraphStorePredicates

/// The order of a list that follows changes: by sort descriptors, and among equals as a fetch orders them.
struct ListOrder {
  /// The sort keys of one object, read once and compared with those of several others.
  struct Keys {
    fileprivate let values: [Value]
    fileprivate let place: RecordLocation
  }

  private let evaluator: SortEvaluator
  private let places: PlaceOrder

  init(_ request: FetchRequest<ManagedObject>) throws {
    evaluator = try SortEvaluator(request.sortDescriptors, options: request.evaluation)
    places = PlaceOrder(request)
  }

  func keys(of object: ManagedObject) throws -> Keys {
    Keys(values: try evaluator.values(of: .source(object)), place: RecordLocation(object))
  }

  func precedes(_ left: Keys, _ right: Keys) -> Bool {
    switch evaluator.order(left.values, right.values) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame: places.precedes(left.place, right.place)
    }
  }
}
