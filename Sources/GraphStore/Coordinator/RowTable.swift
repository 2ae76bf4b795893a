/// Rows by key with the number of their holders.
final class RowTable {
  private struct Entry: BitwiseCopyable {
    /// The block, retained by the table; nil where the row was forgotten.
    var block: UnsafeMutableRawPointer?
    var row: Int32 = 0
    var holders: Int32 = 0
  }

  private let entries = KeyTable(empty: Entry())
  @exclusivity(unchecked) private(set) var rowCount = 0

  deinit {
    entries.forEach { _, entry in Self.release(entry.block) }
  }

  func row(_ key: Int64) -> Row? {
    guard let position = entries.position(of: key), let block = entries[at: position].block else {
      return nil
    }
    return Row(
      block: Unmanaged<RowBlock>.fromOpaque(block).takeUnretainedValue(),
      index: Int(entries[at: position].row))
  }

  /// Puts a row in place of any other and adds holders; without any the row is not kept.
  @inline(__always)
  func put(_ block: RowBlock, _ row: Int, _ key: Int64, holders more: Int32) {
    guard more > 0 || entries.position(of: key) != nil else { return }
    let position = entries.add(key)
    var entry = entries[at: position]
    let old = entry.block
    entry.block = Unmanaged.passRetained(block).toOpaque()
    entry.row = Int32(truncatingIfNeeded: row)
    entry.holders += more
    entries[at: position] = entry
    if old == nil { rowCount += 1 }
    Self.release(old)
  }

  func release(_ key: Int64) {
    guard let position = entries.position(of: key) else { return }
    let entry = entries[at: position]
    if entry.holders > 1 {
      entries[at: position].holders -= 1
      return
    }
    entries.remove(at: position)
    if entry.block != nil { rowCount -= 1 }
    Self.release(entry.block)
  }

  func forget(_ key: Int64) {
    guard let position = entries.position(of: key), let block = entries[at: position].block else { return }
    entries[at: position].block = nil
    rowCount -= 1
    Self.release(block)
  }

  func forgetAll() {
    entries.forEach { key, _ in forget(key) }
  }

  @inline(__always)
  private static func release(_ block: UnsafeMutableRawPointer?) {
    if let block { Unmanaged<RowBlock>.fromOpaque(block).release() }
  }
}
