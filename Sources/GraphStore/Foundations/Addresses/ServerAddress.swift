import Foundation
import Synchronization

/// Address of a store on a database server: a URL whose scheme names the kind of the server, such as
/// `postgresql://ann@db.example/hr`.
///
/// Its text is without passwords, so that it can stand in messages, logs and lists of processes. Those of an
/// address that was given with some are kept apart, for the whole process, and the client library alone is
/// told.
package struct ServerAddress: Hashable, Sendable {
  /// The address without its passwords, by which the store is known.
  package let text: String

  /// An address; nil for a text that is none, such as a path.
  package init?(_ text: String) {
    guard Self.type(of: text) != nil else { return nil }
    self.text = Self.withoutPasswords(text)
    if self.text != text { Self.givenAddresses.withLock { $0[self.text] = text } }
  }

  /// By the addresses without their passwords: those with them.
  private static let givenAddresses = Mutex<[String: String]>([:])

  /// The type of the stores of the server.
  package var type: StoreType { Self.type(of: text) ?? Self.postgreSQL }

  /// The address as the server's client library is to have it: with its passwords, if some were given, and
  /// without parameters that only the store knows.
  package func connectionText(without names: Set<String> = []) -> String {
    let given = Self.givenAddresses.withLock { $0[text] } ?? text
    let query = Self.beginOfQuery(in: given[...])
    return given[..<query] + Self.query(given[query...], without: names)
  }

  /// The value of a parameter; nil where the address has none of that name.
  package func parameter(_ name: String) -> String? {
    let query = text[Self.beginOfQuery(in: text[...])...]
    let found = query.dropFirst().split(separator: "&").last { $0.hasPrefix("\(name)=") }
    return found.map { String($0.dropFirst(name.count + 1)) }.map { $0.removingPercentEncoding ?? $0 }
  }

  /// The address with another value of a parameter.
  package func text(with parameter: String, _ value: String) -> String {
    let query = Self.beginOfQuery(in: text[...])
    let rest = Self.query(text[query...], without: [parameter])
    let value = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["_", "-"])) ?? value
    return text[..<query] + (rest.isEmpty ? "?" : rest + "&") + "\(parameter)=\(value)"
  }

  /// The name of the store for people: that of its schema, where the address says it, else of its database.
  package var name: String {
    if let schema = parameter("schema") { return schema }
    let rest = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
    let place = rest[..<Self.beginOfQuery(in: rest)]
    return String(place.firstIndex(of: "/").map { place[$0...].dropFirst() } ?? "")
  }

  // MARK: Schemes

  private static let postgreSQL = StoreType(rawValue: "PostgreSQL")
  /// How addresses begin, and what stores there are of.
  private static let schemes = [("postgresql://", postgreSQL), ("postgres://", postgreSQL)]

  private static func type(of text: String) -> StoreType? {
    schemes.first { text.hasPrefix($0.0) }?.1
  }

  /// A path as it is, and an address without its passwords.
  package static func shown(_ place: String) -> String { ServerAddress(place)?.text ?? place }

  // MARK: Passwords

  /// A text without the passwords of the addresses in it.
  package static func hidingPasswords(in text: String) -> String {
    guard mayContainAddress(text) else { return text }
    var hidden = ""
    var rest = text[...]
    while let start = schemes.compactMap({ rest.firstRange(of: $0.0)?.lowerBound }).min() {
      hidden += rest[..<start]
      let address = rest[start...].prefix { !$0.isWhitespace && $0 != "\"" && $0 != "`" }
      hidden += withoutPasswords(String(address))
      rest = rest[address.endIndex...]
    }
    return hidden + rest
  }

  /// Whether `://` is somewhere in a text; nearly all texts are asked no more.
  private static func mayContainAddress(_ text: String) -> Bool {
    var (last, beforeLast): (UInt8, UInt8) = (0, 0)
    for byte in text.utf8 {
      if byte == UInt8(ascii: "/"), last == byte, beforeLast == UInt8(ascii: ":") { return true }
      (beforeLast, last) = (last, byte)
    }
    return false
  }

  private static func withoutPasswords(_ address: String) -> String {
    guard let start = address.firstRange(of: "://")?.upperBound else { return address }
    let query = beginOfQuery(in: address[start...])
    var place = address[..<query]
    if let password = password(in: place[start...]) { place.removeSubrange(password) }
    return place + self.query(address[query...], without: ["password", "sslpassword"])
  }

  /// Where the question mark before `name=value` is; the end where there is none.
  private static func beginOfQuery(in rest: Substring) -> String.Index {
    let marks = rest.indices.lazy.filter { rest[$0] == "?" }
    return marks.first { mark in
      let name = rest[mark...].dropFirst().prefix { $0.isLetter || $0 == "_" }
      return !name.isEmpty && name.endIndex < rest.endIndex && rest[name.endIndex] == "="
    } ?? rest.endIndex
  }

  /// The password of a place behind the scheme, with the colon before it.
  ///
  /// All between the colon of a user and the last `@` is taken for it, also where a sign in it should have
  /// been written as `%2F` or `%40` and the client library refuses the address.
  private static func password(in place: Substring) -> Range<String.Index>? {
    guard let first = place.firstIndex(of: "@"), let last = place.lastIndex(of: "@"),
      let colon = place[..<first].firstIndex(of: ":")
    else { return nil }
    return colon..<last
  }

  /// A query without the parameters of some names.
  private static func query(_ query: Substring, without names: Set<String>) -> String {
    let parameters = query.dropFirst().split(separator: "&", omittingEmptySubsequences: false)
    let kept = parameters.filter { !names.contains($0.prefix { $0 != "=" }.lowercased()) }
    guard kept.count < parameters.count else { return String(query) }
    return kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
  }
}
