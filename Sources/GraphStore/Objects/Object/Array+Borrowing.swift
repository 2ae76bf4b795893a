/// Borrowing iteration: the array holds its objects, so none of them is retained for its turn.
///
/// Counting a reference is an atomic operation on the object's memory; in a pass over many objects that are
/// in none of the processor's caches it costs more than what the pass is for.
extension [ManagedObject] {
  /// Does something with each object, from a position on. Objects that hooks add to the list that the array
  /// was taken from are not among them: that list is another array then.
  @inline(__always)
  func forEachBorrowed(from start: Int = 0, _ body: (ManagedObject) throws -> Void) rethrows {
    assert(start >= 0 && start <= count, "a position of the array")
    try unsafe withUnretainedElements { objects in
      for position in start..<objects.count {
        try unsafe objects[position]._withUnsafeGuaranteedRef { try body($0) }
      }
    }
  }

  /// The objects that satisfy a condition; where all do, the array itself, shared and not copied.
  @inline(__always)
  func filterBorrowed(_ isIncluded: (ManagedObject) -> Bool) -> [ManagedObject] {
    guard let other = firstIndexBorrowed(where: { !isIncluded($0) }) else { return self }
    var included = Array(self[..<other])
    forEachBorrowed(from: other + 1) { if isIncluded($0) { included.append($0) } }
    return included
  }

  /// The position of the first object that satisfies a condition.
  @inline(__always)
  func firstIndexBorrowed(where isMeant: (ManagedObject) -> Bool) -> Int? {
    unsafe withUnretainedElements { objects in
      for position in 0..<objects.count {
        if unsafe objects[position]._withUnsafeGuaranteedRef({ isMeant($0) }) { return position }
      }
      return nil
    }
  }

  /// Whether a relation holds between each object and the next one.
  @inline(__always)
  func areOrderedBorrowed(by precedes: (ManagedObject, ManagedObject) -> Bool) -> Bool {
    unsafe withUnretainedElements { objects in
      for position in 1..<Swift.max(1, objects.count) {
        let isOrdered = unsafe objects[position - 1]._withUnsafeGuaranteedRef { former in
          unsafe objects[position]._withUnsafeGuaranteedRef { precedes(former, $0) }
        }
        if !isOrdered { return false }
      }
      return true
    }
  }

  @inline(__always)
  private func withUnretainedElements<Result>(
    _ body: (UnsafeBufferPointer<Unmanaged<ManagedObject>>) throws -> Result
  ) rethrows -> Result {
    try unsafe withUnsafeBytes { try unsafe body($0.assumingMemoryBound(to: Unmanaged<ManagedObject>.self)) }
  }
}
