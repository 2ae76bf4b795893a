import Foundation
import GraphStorePredicates

/// Buffer of a table's cells until the widths of its columns are known: in memory, and beyond a limit in an
/// anonymous temporary file.
final class TableCellSpool {
  /// One cell: its bytes follow those of the cell before.
  struct Cell {
    var length: UInt32
    /// Columns the text takes.
    var width: UInt32
    var isNull: Bool
  }

  /// How many bytes are kept in memory.
  private let limit: Int
  private let text = OutputBuffer.memory(capacity: 4096)
  // Change with every cell: not checked for exclusivity, as in `OutputBuffer`.
  @safe @exclusivity(unchecked) private var cells: ContiguousArray<Cell> = []
  @safe @exclusivity(unchecked) private var spilled: [(cells: Int, bytes: Int)] = []
  @safe @exclusivity(unchecked) private var file: Int32 = -1
  @safe @exclusivity(unchecked) private var cellStart = 0

  init(limit: Int = 8 << 20) {
    self.limit = limit
  }

  deinit {
    if file >= 0 { close(file) }
  }

  /// Where the text of the cell goes that is being written.
  var output: OutputBuffer { text }

  func beginCell() {
    cellStart = text.count
  }

  /// The bytes of the cell that is being written.
  var current: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(rebasing: text.bytes[cellStart...]) }

  func endCell(width: Int, isNull: Bool = false) {
    cells.append(
      Cell(
        length: UInt32(clamping: text.count - cellStart), width: UInt32(clamping: width), isNull: isNull))
  }

  /// Moves rows out of memory if there are many. For the end of a row.
  func endRow() throws(OutputError) {
    guard text.count + cells.count * MemoryLayout<Cell>.stride > limit else { return }
    if file < 0 { file = Self.temporaryFile() }
    guard file >= 0 else { throw OutputError(errno: errno, path: Self.directory, creating: true) }
    try unsafe cells.withUnsafeBufferPointer { cells throws(OutputError) in
      try unsafe spill(UnsafeRawBufferPointer(cells))
    }
    try unsafe spill(UnsafeRawBufferPointer(text.bytes))
    spilled.append((cells.count, text.count))
    cells.removeAll(keepingCapacity: true)
    text.clear()
  }

  /// Hands out all cells in the order they came.
  func forEach(_ body: (Cell, UnsafeBufferPointer<UInt8>) throws(OutputError) -> Void) throws(OutputError) {
    if file >= 0 { lseek(file, 0, SEEK_SET) }
    let bytes = OutputBuffer.memory()
    for block in spilled {
      bytes.clear()
      let header = block.cells * MemoryLayout<Cell>.stride
      try load(header + block.bytes, into: bytes)
      let raw = unsafe UnsafeRawBufferPointer(bytes.bytes)
      var offset = header
      for index in 0..<block.cells {
        let cell = unsafe raw.loadUnaligned(fromByteOffset: index * MemoryLayout<Cell>.stride, as: Cell.self)
        try unsafe body(cell, UnsafeBufferPointer(rebasing: bytes.bytes[offset..<offset + Int(cell.length)]))
        offset += Int(cell.length)
      }
    }
    var offset = 0
    for cell in cells {
      try unsafe body(cell, UnsafeBufferPointer(rebasing: text.bytes[offset..<offset + Int(cell.length)]))
      offset += Int(cell.length)
    }
  }

  private func spill(_ raw: UnsafeRawBufferPointer) throws(OutputError) {
    var done = 0
    while done < raw.count {
      let sent = unsafe write(file, raw.baseAddress.map { unsafe $0 + done }, raw.count - done)
      if sent >= 0 {
        done += sent
      } else if errno != EINTR {
        throw OutputError(errno: errno, path: Self.directory)
      }
    }
  }

  private func load(_ count: Int, into bytes: OutputBuffer) throws(OutputError) {
    bytes.reserve(count)
    var done = 0
    while done < count {
      let got = unsafe read(file, bytes.cursor, count - done)
      if got > 0 {
        bytes.advance(got)
        done += got
      } else if got == 0 || errno != EINTR {
        throw OutputError(errno: got == 0 ? EIO : errno, path: Self.directory)
      }
    }
  }

  private static var directory: String { EnvironmentVariable.value(of: "TMPDIR") ?? "/tmp" }

  private static func temporaryFile() -> Int32 {
    var template = Array("\(directory)/graphstore.XXXXXX".utf8CString)
    let file = unsafe mkstemp(&template)
    if file >= 0 { unsafe unlink(template) }
    return file
  }
}
