/// Open-addressing hash table of names, for look-ups that cost less than the hash of a string in a dictionary
/// does.
///
/// Names are compared byte by byte: those of a model are ASCII, which no other text is equal to.
package struct NameTable: Sendable {
  /// The hash of a name and its number; no name has a number below 0.
  private struct Entry: Sendable {
    var hash: UInt32 = 0
    var number: Int32 = -1
  }

  private let names: [[UInt8]]
  private let entries: [Entry]
  private let mask: Int

  /// - Parameter names: Names that differ, whose numbers are their positions.
  package init(_ names: [String]) {
    self.names = names.map { Array($0.utf8) }
    var capacity = 8
    while capacity < names.count * 2 { capacity *= 2 }
    mask = capacity - 1
    var entries = [Entry](repeating: Entry(), count: capacity)
    for (number, name) in self.names.enumerated() {
      let hash = unsafe name.withUnsafeBufferPointer { unsafe Self.hash($0) }
      var index = Int(hash) & mask
      while entries[index].number >= 0 { index = (index + 1) & mask }
      entries[index] = Entry(hash: hash, number: Int32(truncatingIfNeeded: number))
    }
    self.entries = entries
  }

  /// FNV-1a.
  @inline(__always)
  private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for index in bytes.indices { hash = unsafe (hash ^ UInt32(bytes[index])) &* 16_777_619 }
    return hash
  }

  /// The number of a name; nil for one that is not there in this form.
  package func number(of name: String) -> Int? {
    var name = name
    return name.withUTF8 { bytes in
      let hash = unsafe Self.hash(bytes)
      var index = Int(hash) & mask
      while true {
        let entry = entries[index]
        guard entry.number >= 0 else { return nil }
        if entry.hash == hash, unsafe names[Int(entry.number)].elementsEqual(bytes) {
          return Int(entry.number)
        }
        index = (index + 1) & mask
      }
    }
  }
}
