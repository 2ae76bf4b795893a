import CGraphStoreShims
import GraphStorePredicates

/// Rows by key with the number of their holders.
package final class RowTable {
  @safe private struct Entry: BitwiseCopyable {
    /// The block, retained by the table; nil where the row was forgotten.
    var block: UnsafeMutableRawPointer?
    var row: Int32 = 0
    var holders: Int32 = 0
  }

  private let entries = KeyTable(empty: Entry())
  @safe @exclusivity(unchecked) package private(set) var rowCount = 0

  /// Whether no row has a holder.
  package var isEmpty: Bool { entries.count == 0 }

  deinit {
    unsafe entries.forEach { _, entry in unsafe Self.release(entry.pointee.block) }
  }

  package func row(_ key: Int64) -> Row? {
    guard let entry = unsafe entries.find(key) else { return nil }
    return unsafe Self.row(entry.pointee)
  }

  /// The row, with one more holder.
  package func retainedRow(_ key: Int64) -> Row? {
    guard let entry = unsafe entries.find(key), let row = unsafe Self.row(entry.pointee) else { return nil }
    unsafe entry.pointee.holders += 1
    return row
  }

  private static func version(_ block: UnsafeMutableRawPointer, _ row: Int32) -> Int64 {
    unsafe Unmanaged<RowBlock>.fromOpaque(block)._withUnsafeGuaranteedRef { $0.version(Int(row)) }
  }

  private static func row(_ entry: Entry) -> Row? {
    guard let block = unsafe entry.block else { return nil }
    return unsafe Row(
      block: Unmanaged<RowBlock>.fromOpaque(block).takeUnretainedValue(), index: Int(entry.row))
  }

  /// Stores a row, replacing any other, and adds holders; without any the row is not kept.
  package func put(_ row: Row, key: Int64, holders more: Int32) {
    guard unsafe more > 0 || entries.find(key) != nil else { return }
    unsafe Self.release(replace(Unmanaged.passRetained(row.block).toOpaque(), row.index, key, holders: more))
  }

  /// Stores a row, replacing another unless that one is of a later version, and adds holders.
  package func putUnlessOlder(_ row: Row, key: Int64, holders more: Int32) {
    guard let entry = unsafe more > 0 ? entries.add(key) : entries.find(key) else { return }
    unsafe entry.pointee.holders += more
    if let former = unsafe entry.pointee.block, unsafe Self.version(former, entry.pointee.row) > row.version {
      return
    }
    unsafe Self.release(place(Unmanaged.passRetained(row.block).toOpaque(), row.index, into: entry))
  }

  /// Adds holders to a row that is there, or that is not known.
  package func addHolders(_ more: Int32, _ key: Int64) {
    guard more > 0 else { return }
    unsafe entries.add(key).pointee.holders += more
  }

  /// Adds a holder to a row that others hold; false where there are none.
  package func addHolderIfKnown(_ key: Int64) -> Bool {
    guard let entry = unsafe entries.find(key) else { return false }
    unsafe entry.pointee.holders += 1
    return true
  }

  /// Stores a row of a block that was retained for it; returns the block of the former row, to be released.
  @inline(__always)
  package func replace(
    _ block: UnsafeMutableRawPointer, _ row: Int, _ key: Int64, holders more: Int32
  ) -> UnsafeMutableRawPointer? {
    let entry = unsafe entries.add(key)
    unsafe entry.pointee.holders += more
    return unsafe place(block, row, into: entry)
  }

  /// Exchanges the row of an entry; returns the block of the former one.
  @inline(__always)
  private func place(
    _ block: UnsafeMutableRawPointer, _ row: Int, into entry: UnsafeMutablePointer<Entry>
  ) -> UnsafeMutableRawPointer? {
    let former = unsafe entry.pointee.block
    unsafe entry.pointee.block = unsafe block
    unsafe entry.pointee.row = Int32(truncatingIfNeeded: row)
    if unsafe former == nil { rowCount += 1 }
    return unsafe former
  }

  /// Removes one holder; returns the block of a row that leaves with it, to be released.
  @inline(__always)
  package func release(_ key: Int64) -> UnsafeMutableRawPointer? {
    guard let entry = unsafe entries.find(key) else { return nil }
    unsafe entry.pointee.holders -= 1
    if unsafe entry.pointee.holders > 0 { return nil }
    let block = unsafe entry.pointee.block
    entries.remove(key)
    if unsafe block != nil { rowCount -= 1 }
    return unsafe block
  }

  package func forget(_ key: Int64) {
    guard let entry = unsafe entries.find(key), let block = unsafe entry.pointee.block else { return }
    unsafe entry.pointee.block = nil
    rowCount -= 1
    unsafe Self.release(block)
  }

  package func empty() {
    unsafe entries.forEach { _, entry in
      unsafe Self.release(entry.pointee.block)
      unsafe entry.pointee.block = nil
    }
    rowCount = 0
  }

  @inline(__always)
  private static func release(_ block: UnsafeMutableRawPointer?) {
    if let block = unsafe block { unsafe Unmanaged<RowBlock>.fromOpaque(block).release() }
  }

  /// Checks that every entry has holders, and a row that its block has. Costs a walk of the table.
  package func checkInvariants() throws(InvariantViolation) {
    try entries.checkInvariants()
    var rows = 0
    var violation: InvariantViolation?
    unsafe entries.forEach { key, entry in
      if unsafe entry.pointee.holders <= 0 {
        violation = InvariantViolation(description: "nobody holds row \(key)")
      }
      guard let row = unsafe Self.row(entry.pointee) else { return }
      rows += 1
      if row.index >= row.block.count {
        violation = InvariantViolation(description: "row \(key) lies nowhere")
      }
    }
    if let violation { throw violation }
    try InvariantViolation.check(rows == rowCount, "\(rows) rows are counted as \(rowCount)")
  }

  /// Whether a row has a counted holder, which may have been forgotten.
  package func hasHolder(_ key: Int64) -> Bool { unsafe entries.find(key) != nil }
}
