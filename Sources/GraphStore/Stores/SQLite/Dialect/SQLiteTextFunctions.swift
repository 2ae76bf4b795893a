import Foundation
import GraphStoreSQLite

/// SQL functions over texts, in the meaning of predicates.
///
/// They work on the UTF-8 that SQLite holds; no string is made.
enum SQLiteTextFunctions {
  /// Whether the first text has the second one in it.
  static let containsName = "gs_contains"
  /// Whether the first text begins with the second one.
  static let beginsName = "gs_begins"
  /// Whether the first text ends with the second one.
  static let endsName = "gs_ends"
  /// How many UTF-16 units a text has.
  static let lengthName = "gs_length"

  static func install(on connection: SQLiteConnection) throws {
    try registerSearch(containsName, on: connection) { text, part in contains(text, part) }
    try registerSearch(beginsName, on: connection) { text, part in
      text.starts(with: part)
    }
    try registerSearch(endsName, on: connection) { text, part in
      text.suffix(part.count).elementsEqual(part)
    }
    try connection.register(function: lengthName, argumentCount: 1) { arguments, result in
      guard !arguments.isNull(at: 0) else { return }
      var count: Int64 = 0
      // A scalar of four bytes has two units, every other one.
      for byte in arguments.text(at: 0) where byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
      result.set(count)
    }
  }

  /// Whether the text has the part in it; the part is not empty and not longer than the text.
  static func contains(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = text.baseAddress, let wanted = part.baseAddress else { return false }
    let last = text.count - part.count
    var place = 0
    while place <= last {
      guard let found = memchr(start + place, Int32(wanted[0]), last - place + 1) else { return false }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      if memcmp(start + place, wanted, part.count) == 0 { return true }
      place += 1
    }
    return false
  }

  /// A search for a part that is not empty and not longer than the text; the empty text is found nowhere
  /// (PRD-102).
  private static func registerSearch(
    _ name: String, on connection: SQLiteConnection,
    _ find: @escaping (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) throws {
    try connection.register(function: name, argumentCount: 2) { arguments, result in
      guard !arguments.isNull(at: 0), !arguments.isNull(at: 1) else { return }
      let text = arguments.text(at: 0)
      let part = arguments.text(at: 1)
      result.set(!part.isEmpty && part.count <= text.count && find(text, part))
    }
  }
}
