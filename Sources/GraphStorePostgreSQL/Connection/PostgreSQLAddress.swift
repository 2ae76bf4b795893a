#if PostgreSQL
import Foundation
import GraphStore

/// Address of a store on a server: the connection in libpq's form, and the schema of the store.
///
/// It is a URL such as `postgresql://db.example.org/company?schema=staff&sslmode=require`. All of its
/// parameters but `schema` are libpq's; a password is better kept in libpq's own places (`PGPASSFILE`, a
/// service), and is in no message.
struct PostgreSQLAddress: Sendable {
  /// The schema of a store whose address names none.
  static let defaultSchema = "graphstore"

  /// The connection, as libpq reads it.
  let connectionInfo: String
  let schema: String
  /// The address for people: without a password.
  let text: String

  /// - Throws: `store-open` for a text that is no address of a server.
  init(_ text: String) throws {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let base = String(parts[0])
    guard let scheme = Self.schemes.first(where: { base.hasPrefix($0) }) else {
      throw GraphStoreError(
        .storeOpen, "\(Self.redacted(text)) is no address of a PostgreSQL server.",
        remedy: "Write it as postgresql://host/database?schema=name.")
    }
    let parameters = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
    let schemas = parameters.compactMap { Self.value(of: "schema", $0) }
    let others = parameters.filter { Self.value(of: "schema", $0) == nil }
    schema = schemas.last ?? Self.defaultSchema
    connectionInfo = base + (others.isEmpty ? "" : "?" + others.joined(separator: "&"))
    self.text = Self.withoutPassword(base, scheme: scheme, parameters)
    guard !schema.isEmpty, schema.utf8.count <= 63, !schema.utf8.contains(0) else {
      throw GraphStoreError(
        .storeOpen, "\(self.text) names a schema of \(schema.utf8.count) bytes.",
        remedy: "The name of a schema has 1 to 63 bytes.")
    }
  }

  /// A text without what could be a password, whether it is an address or not.
  static func redacted(_ text: String) -> String {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let parameters = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
    let base = String(parts[0])
    let scheme = base.range(of: "://").map { String(base[..<$0.upperBound]) } ?? ""
    return withoutPassword(base, scheme: scheme, parameters)
  }

  private static let schemes = ["postgresql://", "postgres://"]
  private static let secrets = ["password", "sslpassword", "passfile"]

  private static func value(of name: String, _ parameter: String) -> String? {
    guard parameter.hasPrefix(name + "=") else { return nil }
    let value = String(parameter.dropFirst(name.count + 1))
    return value.removingPercentEncoding ?? value
  }

  private static func withoutPassword(_ base: String, scheme: String, _ parameters: [String]) -> String {
    var rest = base.dropFirst(scheme.count)
    if let end = rest[..<(rest.firstIndex(of: "/") ?? rest.endIndex)].lastIndex(of: "@"),
      let colon = rest[..<end].firstIndex(of: ":")
    {
      rest.removeSubrange(colon..<end)
    }
    let shown = parameters.filter { parameter in !secrets.contains { parameter.hasPrefix($0 + "=") } }
    return scheme + rest + (shown.isEmpty ? "" : "?" + shown.joined(separator: "&"))
  }
}
#endif
