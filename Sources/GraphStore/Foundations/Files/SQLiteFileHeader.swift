import GraphStoreFiles

/// The first hundred bytes of a SQLite file.
struct SQLiteFileHeader: Hashable, Sendable {
  static let length = 100
  /// The newest file format that SQLite writes: 1 is with a journal, 2 with a log.
  private static let newestWriteVersion = 2
  private static let magic = Array("SQLite format 3\0".utf8)

  /// Bytes a page.
  let pageSize: Int
  /// Whether the file is written through a log beside it.
  let usesWriteAheadLog: Bool
  /// The file format that a writer has to know; SQLite opens a file of one that it does not know for reading
  /// only.
  let writeVersion: Int
  /// Whether free pages are released bit by bit, as all stores do and few other files.
  let isVacuumedIncrementally: Bool
  /// The length that the file says it has; nil where its last writer was too old to say.
  let statedLength: Int?

  /// Whether the file asks for a SQLite to write it that does not exist yet, and so can only be read.
  var needsNewerWriter: Bool { writeVersion > Self.newestWriteVersion }

  /// Reads the header of a file; nil where there is none that can be read.
  init?(path: String) {
    guard let bytes = DatabaseFiles.firstBytes(path, count: Self.length) else { return nil }
    self.init(bytes)
  }

  /// Reads the header; nil for bytes that do not begin a SQLite file.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.length, bytes.starts(with: Self.magic) else { return nil }
    func number(_ offset: Int) -> Int {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65536 : size
    usesWriteAheadLog = bytes[18] == 2 || bytes[19] == 2
    writeVersion = Int(bytes[18])
    isVacuumedIncrementally = number(52) != 0 && number(64) != 0
    let pages = number(28)
    statedLength = pages > 0 && number(24) == number(92) ? pages * pageSize : nil
  }
}
