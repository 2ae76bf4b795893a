import Foundation

/// Package of ICU's data: a header, a table of contents with the offsets of names and items, and the items.
@main
struct UnicodeData {
  /// Folders of names and forms that are shown to nobody. Collation, case, breaks, transforms and encodings stay.
  static let unused: Set<Substring> = ["curr", "lang", "rbnf", "region", "unit", "zone"]
  /// An item begins at a multiple of it.
  static let alignment = 16

  let bytes: Data

  static func main() throws {
    let paths = CommandLine.arguments
    guard paths.count == 3 else { throw Failure(text: "usage: filter WHOLE DATA") }
    let whole = UnicodeData(bytes: try Data(contentsOf: URL(fileURLWithPath: paths[1])))
    try whole.filtered().write(to: URL(fileURLWithPath: paths[2]))
  }

  func filtered() throws -> Data {
    let header = Int(bytes[0]) | Int(bytes[1]) << 8
    guard bytes.count > header + 4, header % Self.alignment == 0, bytes[12..<16] == Data("CmnD".utf8) else {
      throw Failure(text: "this is no package of ICU's data")
    }
    let count = try number(at: header)
    var kept: [(name: Data, content: Data)] = []
    var left = 0
    for item in 0..<count {
      let entry = header + 4 + 8 * item
      let start = try header + number(at: entry + 4)
      let end = try item + 1 < count ? header + number(at: entry + 12) : bytes.count
      guard start <= end, end <= bytes.count else { throw Failure(text: "an item lies outside of the data") }
      let name = try name(at: header + number(at: entry))
      if Self.isUnused(name) { left += end - start } else { kept.append((name, bytes[start..<end])) }
    }
    guard left > 0, !kept.isEmpty else { throw Failure(text: "nothing was left out") }
    return bytes[..<header] + Self.package(kept)
  }

  /// The table of contents and the items; offsets count from the table.
  private static func package(_ items: [(name: Data, content: Data)]) -> Data {
    var nameOffset = 4 + 8 * items.count
    let namesEnd = nameOffset + items.reduce(0) { $0 + $1.name.count + 1 }
    var offset = aligned(namesEnd)
    var (table, names, contents) = (Data(), Data(), Data())
    append(items.count, to: &table)
    for item in items {
      append(nameOffset, to: &table)
      append(offset, to: &table)
      names += item.name + [0]
      nameOffset += item.name.count + 1
      contents += item.content
      let end = offset + item.content.count
      offset = aligned(end)
      contents += Data(repeating: 0xAA, count: offset - end)
    }
    return table + names + Data(repeating: 0xAA, count: aligned(namesEnd) - namesEnd) + contents
  }

  /// Whether an item such as `icudt76l/curr/de.res` lies in a folder that is left out.
  private static func isUnused(_ name: Data) -> Bool {
    let parts = String(decoding: name, as: UTF8.self).split(separator: "/")
    return parts.count == 3 && unused.contains(parts[1])
  }

  private func number(at offset: Int) throws -> Int {
    guard offset + 4 <= bytes.count else { throw Failure(text: "the table of contents is cut off") }
    return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }

  private func name(at offset: Int) throws -> Data {
    guard offset < bytes.count, let end = bytes[offset...].firstIndex(of: 0) else {
      throw Failure(text: "a name is cut off")
    }
    return bytes[offset..<end]
  }

  private static func append(_ number: Int, to data: inout Data) {
    for shift in stride(from: 0, to: 32, by: 8) { data.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  private static func aligned(_ offset: Int) -> Int { (offset + alignment - 1) / alignment * alignment }
}

struct Failure: Error, CustomStringConvertible {
  let text: String
  var description: String { text }
}
