import Foundation

/// Spool of the members of to-many relationships: whole numbers in an anonymous temporary file, which are
/// read again once all objects are there.
///
/// Memory holds a piece of it alone, however many links there are.
final class LinkSpool {
  /// The members of one to-many of one owner.
  struct Members {
    /// The number of the relationship among those of the store.
    var relationship: Int
    var owner: Int64
    var keys: [Int64]
  }

  /// Numbers that are written, or read, at a time.
  private static let piece = 1 << 15

  private var words: [Int64] = []
  private var file: Int32 = -1
  /// The number of words in the file.
  private var written = 0

  deinit { if file >= 0 { close(file) } }

  /// Adds the members of an owner.
  ///
  /// - Throws: `disk-full`, `store-open`.
  func add(_ members: Members) throws {
    words.append(Int64(members.relationship))
    words.append(members.owner)
    words.append(Int64(members.keys.count))
    words += members.keys
    if words.count >= Self.piece { try writeOut() }
  }

  /// Hands over all members in the order in which they were added.
  func forEach(_ body: (Members) throws -> Void) throws {
    if file >= 0 { try writeOut() }
    var reader = Reader(file: file, rest: file >= 0 ? [] : words, count: file >= 0 ? written : words.count)
    while let relationship = try reader.next() {
      guard let owner = try reader.next(), let count = try reader.next() else { return }
      var keys: [Int64] = []
      keys.reserveCapacity(Int(count))
      for _ in 0..<count {
        if let key = try reader.next() { keys.append(key) }
      }
      try body(Members(relationship: Int(relationship), owner: owner, keys: keys))
    }
  }

  private func writeOut() throws {
    if file < 0 { file = try Self.makeFile() }
    try unsafe words.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = unsafe write(file, bytes.baseAddress! + done, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw GraphStoreError.unwritten(NSTemporaryDirectory(), errno) }
        done += count
      }
    }
    written += words.count
    words.removeAll(keepingCapacity: true)
  }

  private static func makeFile() throws -> Int32 {
    let folder = NSTemporaryDirectory()
    var template = Array((folder + "/graphstore.XXXXXX").utf8CString)
    let file = unsafe mkstemp(&template)
    guard file >= 0 else { throw SQLiteLayout.error(.system(errno), folder) }
    unsafe unlink(template)
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    return file
  }

  /// Reader of the words from the first on.
  private struct Reader {
    let file: Int32
    var rest: [Int64]
    let count: Int
    private var position = 0
    private var taken = 0

    init(file: Int32, rest: [Int64], count: Int) {
      self.file = file
      self.rest = rest
      self.count = count
    }

    mutating func next() throws -> Int64? {
      guard position < count else { return nil }
      if taken == rest.count { try fill() }
      defer { (position, taken) = (position + 1, taken + 1) }
      return rest[taken]
    }

    private mutating func fill() throws {
      let wanted = min(LinkSpool.piece, count - position)
      rest = [Int64](repeating: 0, count: wanted)
      let offset = off_t(position * 8)
      let got = unsafe rest.withUnsafeMutableBytes { bytes in
        unsafe pread(file, bytes.baseAddress!, bytes.count, offset)
      }
      guard got == wanted * 8 else { throw GraphStoreError.unwritten(NSTemporaryDirectory(), errno) }
      taken = 0
    }
  }
}
