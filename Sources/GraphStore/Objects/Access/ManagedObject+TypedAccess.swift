import CGraphStoreShims
import Foundation
import GraphStorePredicates

extension FetchableObject where Self: ManagedObject {
  /// Reads and sets an attribute by a typed key of the class.
  ///
  /// Reading returns nil for a missing value, and also where the record is deleted. Setting works as
  /// ``ManagedObject/setValue(_:forKey:)``. An error that neither can throw (a name that the entity does not
  /// have, an attribute of another type, a store that cannot be read) is reported to
  /// ``Diagnostics/onDeferredError`` at once, kept in the context and thrown by its next save, so that
  /// nothing is written on the strength of a value or a change that failed.
  public subscript<Element: AttributeValue>(key: AttributeKey<Self, Element>) -> Element? {
    @inlinable
    @inline(__always)
    get { Element._value(of: self, at: key) }
    @inlinable
    set { Element._set(newValue, of: self, at: key) }
  }
}

/// Typed access with a key in parts: one that is part of the program's data need not be made an object first,
/// and the code is the same whatever class the key belongs to.
extension ManagedObject {
  /// The word of an attribute that is stored in place.
  @inlinable
  @inline(__always)
  final func word<Owner, Element>(_ key: AttributeKey<Owner, Element>) -> UInt64? {
    let place = unsafe gs_load_relaxed(&key.place)
    guard UInt32(truncatingIfNeeded: place >> 32) == readableIdentity else {
      return unsafe firstWord(&key.place, name: key.propertyName, kinds: Element._attributeKinds)
    }
    let slot = Int(truncatingIfNeeded: place & 0xFFFF)
    let values = unsafe values.unsafelyUnwrapped
    return unsafe values.isNull(slot) ? nil : values[slot]
  }

  /// The word, of a fault or by a key that was last used with another entity.
  @usableFromInline
  @inline(never)
  final func firstWord(
    _ place: UnsafeMutablePointer<UInt64>, name: String, kinds: _AttributeKinds
  ) -> UInt64? {
    guard prepareRead(), let slot = unsafe slot(place, name: name, kinds: kinds), let values = unsafe values,
      unsafe !values.isNull(slot)
    else {
      return nil
    }
    return unsafe values[slot]
  }

  @usableFromInline
  final func text(_ place: UnsafeMutablePointer<UInt64>, _ name: String) -> String? {
    guard let word = unsafe wordOfTail(place, name, .string) else { return nil }
    return withHeldBlock { unsafe String(decoding: $0.bytes(word), as: UTF8.self) }
  }

  @usableFromInline
  final func decimal(_ place: UnsafeMutablePointer<UInt64>, _ name: String) -> Decimal? {
    guard let word = unsafe wordOfTail(place, name, .decimal) else { return nil }
    return withHeldBlock { $0.decimal(word) }
  }

  @inline(__always)
  private final func wordOfTail(
    _ place: UnsafeMutablePointer<UInt64>, _ name: String, _ kinds: _AttributeKinds
  ) -> UInt64? {
    guard prepareRead(), let slot = unsafe slot(place, name: name, kinds: kinds),
      let values = unsafe values,
      unsafe !values.isNull(slot)
    else { return nil }
    return unsafe values[slot]
  }

  /// The slot of a key in a realised object.
  @inline(__always)
  private final func slot(
    _ place: UnsafeMutablePointer<UInt64>, name: String, kinds: _AttributeKinds
  ) -> Int? {
    let known = unsafe gs_load_relaxed(place)
    if UInt32(truncatingIfNeeded: known >> 32) == readableIdentity { return Int(known & 0xFFFF) }
    if let property = unsafe InlineCache.resolve(place, name: name, kinds: kinds, in: layout) {
      return property.slot
    }
    keepUnreadable(name)
    return nil
  }

  /// Keeps the error for a key that names no attribute of its type.
  @inline(never)
  private final func keepUnreadable(_ name: String) {
    do {
      let property = try property(forKey: name)
      throw GraphStoreError(
        .valueType,
        "\(entity.name).\(name) holds \(property.kind) values, which the typed key does not read.",
        remedy: "Give the key the type of the attribute.", entity: entity.name, property: name,
        objectID: objectID)
    } catch {
      keepDeferred(error)
    }
  }

  final func generalValue(
    _ place: UnsafeMutablePointer<UInt64>, _ name: String, _ kinds: _AttributeKinds
  ) -> Value {
    guard prepareRead(), let row = currentRow else { return .null }
    if let property = unsafe InlineCache.property(place, name: name, kinds: kinds, in: layout) {
      do { return try value(of: property, in: row) } catch {
        keepDeferred(error)
        return .null
      }
    }
    keepUnreadable(name)
    return .null
  }

  @inline(__always)
  private final func prepareRead() -> Bool {
    if readableIdentity != EntityLayout.noIdentity { return true }
    return unsafe fireKeepingError() && heldBlock != nil
  }

  @inline(never)
  private final func fireKeepingError() -> Bool {
    checkQueue()
    do {
      try realize()
      return true
    } catch {
      keepDeferred(error)
      return false
    }
  }
}

/// Setting by typed keys: a value that is stored in the row as it is goes straight into a row that is open
/// for changes; everything else, errors included, takes the slow path.
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

  /// Sets a floating-point or date attribute that holds the number without a conversion; a negative zero is
  /// zero (OBJ-143).
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
