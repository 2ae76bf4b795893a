import Foundation

/// Whether values of two stores are equal.
extension StoreComparison {
  /// Whether the values of a column are equal.
  ///
  /// - Parameter column: The column of the place, which few of them need.
  @inline(__always)
  func areEqual(
    _ old: StoredObject, _ new: StoredObject, _ place: ComparedColumn.Place,
    _ column: () -> ComparedColumn
  ) throws -> Bool {
    if case .members(let isOrdered) = place.comparison {
      return haveEqualMembers(old, new, column(), isOrdered: isOrdered)
    }
    let (left, right) = (old.row, new.row)
    let isNull = left.block.isNull(left.index, place.old)
    guard isNull == right.block.isNull(right.index, place.new) else { return false }
    if isNull { return true }
    let (word, otherWord) = (
      left.block.word(left.index, place.old), right.block.word(right.index, place.new)
    )
    switch place.comparison {
    case .words: return word == otherWord
    case .doubles: return word == otherWord || Double(bitPattern: word) == Double(bitPattern: otherWord)
    case .bytes: return unsafe Self.areEqual(left.block.bytes(word), right.block.bytes(otherWord))
    case .decimals:
      if let whole = left.block.decimalWhole(word), let other = right.block.decimalWhole(otherWord) {
        return whole == other
      }
      if let double = left.block.decimalDouble(word), double == right.block.decimalDouble(otherWord) {
        return true
      }
      return left.block.decimal(word) == right.block.decimal(otherWord)
    case .data: return try haveEqualData(old, new, column())
    case .references:
      return counterpart(of: PackedReference(bits: word)) == PackedReference(bits: otherWord)
    case .members: return true
    }
  }

  private static func areEqual(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard left.count == right.count else { return false }
    guard left.count > 0, let start = left.baseAddress, let other = right.baseAddress else { return true }
    return unsafe memcmp(start, other, left.count) == 0
  }

  /// Data that may be in files: their names are others in each store.
  private func haveEqualData(
    _ old: StoredObject, _ new: StoredObject, _ column: ComparedColumn
  ) throws -> Bool {
    let (property, other) = (old.shape.columns[column.old].property, new.shape.columns[column.new].property)
    if property.kind == .external, other.kind == .external,
      let size = old.row.externalSize(of: property), let otherSize = new.row.externalSize(of: other),
      size != otherSize
    {
      return false
    }
    return try old.row.value(of: property) == new.row.value(of: other)
  }

  // MARK: Members

  private func haveEqualMembers(
    _ old: StoredObject, _ new: StoredObject, _ column: ComparedColumn, isOrdered: Bool
  ) -> Bool {
    let (left, right) = (
      old.members(of: old.shape.columns[column.old]), new.members(of: new.shape.columns[column.new])
    )
    guard left.count == right.count else { return false }
    var found: [PackedReference] = []
    for link in left {
      guard let reference = counterpart(of: PackedReference(link.member)) else { return false }
      found.append(reference)
    }
    let others = right.map { PackedReference($0.member) }
    if isOrdered { return found == others }
    return found == others || Set(found) == Set(others)
  }

  /// Whether two ordered to-manys have the same members, in another order.
  package func differInOrder(
    _ old: StoredObject, _ new: StoredObject, _ column: ComparedColumn
  ) -> Bool {
    guard case .members(isOrdered: true) = column.comparison else { return false }
    return haveEqualMembers(old, new, column, isOrdered: false)
  }
}
