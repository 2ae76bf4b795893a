/// Where a record lies: what orders records that are equal in all that a request sorts by.
struct RecordPlace {
  let storeIndex: Int32
  /// Negative for an object that was never saved.
  let key: Int64
}

extension RecordPlace {
  init(_ object: ManagedObject) { self.init(storeIndex: object.storeIndex, key: object.key) }
}

/// The order of records that are equal in all that a request sorts by: store by store, by key in the direction of the last
/// descriptor, unsaved objects last in order of insertion (FET-046, FET-047).
struct PlaceOrder {
  private let isAscending: Bool

  init(_ request: FetchRequest<ManagedObject>) {
    isAscending = request.sortDescriptors.last?.ascending ?? true
  }

  func precedes(_ left: RecordPlace, _ right: RecordPlace) -> Bool {
    if (left.key < 0) != (right.key < 0) { return right.key < 0 }
    if left.key < 0 { return left.key > right.key }
    if left.storeIndex != right.storeIndex { return left.storeIndex < right.storeIndex }
    return isAscending ? left.key < right.key : left.key > right.key
  }
}
