import GraphStorePredicates

/// Setting by typed keys: a value that lies in the row as it is goes straight into a row that is open for changes;
/// everything else, and everything that is wrong, goes the long way.
extension ManagedObject {
  @usableFromInline
  final func set(
    _ value: Value, _ place: UnsafeMutablePointer<UInt64>, _ name: String, _ kinds: _AttributeKinds
  ) {
    checkQueue()
    do {
      if let property = unsafe InlineCache.property(place, name: name, kinds: kinds, in: layout) {
        try setAttribute(property, to: value)
      } else {
        try setQueryValue(value, forKey: name)
      }
    } catch {
      keepDeferred(error)
    }
  }

  /// Sets an integer attribute that holds the number.
  @usableFromInline
  final func setInPlace(_ value: Int64, at place: UInt64) -> Bool {
    guard let place = InlineCache.Entry(place), place.kind.holds(value) else { return false }
    return setWord(UInt64(bitPattern: value), place)
  }

  /// Sets a floating-point or date attribute that holds the number without a conversion; a negative zero is zero (OBJ-143).
  @usableFromInline
  final func setInPlace(_ value: Double, at place: UInt64) -> Bool {
    guard let place = InlineCache.Entry(place), place.kind.holds(value) else { return false }
    return setWord((value + 0).bitPattern, place)
  }

  @usableFromInline
  final func setInPlace(_ value: String, at place: UInt64) -> Bool {
    guard let place = InlineCache.Entry(place), place.kind == .string, beginChange(at: place) else {
      return false
    }
    var text = value
    let row = Int(rowIndex)
    text.withUTF8 { utf8 in
      _ = withHeldBlock { block in
        block.replacing(row, place.slot, .string) { unsafe block.setBytes(row, place.slot, utf8) }
      }
    }
    return true
  }

  @inline(__always)
  private final func setWord(_ word: UInt64, _ place: InlineCache.Entry) -> Bool {
    guard beginChange(at: place), let values = unsafe values else { return false }
    unsafe values.setWord(place.slot, word)
    return true
  }

  /// Whether the values are there and the change of one is recorded, so that it can be written at once.
  @inline(__always)
  private final func beginChange(at place: InlineCache.Entry) -> Bool {
    place.identity == readableIdentity && beginChange(of: place.number)
  }
}
