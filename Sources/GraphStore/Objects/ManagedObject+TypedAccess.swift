import GraphStorePredicates

extension ManagedObject {
  /// Reads and sets an attribute by a typed key.
  ///
  /// Reading gives nil for a missing value, and also where the record is gone. Setting goes the same way as
  /// ``setValue(_:forKey:)``; where that throws because of the data, the error is kept in the context and thrown
  /// by its next save, so that nothing is written on the strength of a change that failed (OBJ-173).
  @inlinable
  public final subscript<Element: AttributeElement>(key: AttributeKey<Element>) -> Element? {
    get { Element.read(self, key) }
    set { set(newValue?.queryValue ?? .null, key.resolution) }
  }

  @usableFromInline
  final func set(_ value: Value, _ key: KeyResolution) {
    do {
      if let property = key.attribute(in: plan) {
        try setAttribute(property, to: value)
      } else {
        try setQueryValue(value, forKey: key.name)
      }
    } catch {
      context?.deferredErrors.append(error)
    }
  }

  /// The word of an attribute that lies in place.
  @usableFromInline
  final func integer(_ key: KeyResolution) -> Int64? {
    guard prepareRead(), let slot = key.slot(in: plan), let block = heldBlock else { return nil }
    let row = Int(rowIndex)
    return block._withUnsafeGuaranteedRef {
      $0.isNull(row, slot) ? nil : Int64(bitPattern: $0.word(row, slot))
    }
  }

  @usableFromInline
  final func text(_ key: KeyResolution) -> String? {
    guard prepareRead(), let block, let slot = key.slot(in: plan) else { return nil }
    let row = Int(rowIndex)
    return block.isNull(row, slot) ? nil : String(decoding: block.bytes(row, slot), as: UTF8.self)
  }

  final func generalValue(_ key: KeyResolution) -> Value {
    guard prepareRead(), let row = currentRow, let property = key.property(in: plan) else { return .null }
    return value(of: property, in: row)
  }

  /// The block, without a retain for each read: the object keeps it, and nothing in between lets go of it.
  @inline(__always)
  private final var heldBlock: Unmanaged<RowBlock>? { block.map { Unmanaged.passUnretained($0) } }

  @inline(__always)
  private final func prepareRead() -> Bool {
    if !state.contains(.fault) { return true }
    return fireKeepingError()
  }

  @inline(never)
  private final func fireKeepingError() -> Bool {
    do {
      try realize()
      return true
    } catch {
      context?.deferredErrors.append(error)
      return false
    }
  }
}
