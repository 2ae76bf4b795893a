#if PostgreSQL
import GraphStore

/// Address of a store on a server: the connection in libpq's form, and the schema of the store.
///
/// It is a URL such as `postgresql://db.example.org/company?schema=staff&sslmode=require`. All of its
/// parameters but `schema` and `pooling` are libpq's; a password is better kept in libpq's own places
/// (`PGPASSFILE`, a service), and is in no message.
struct PostgreSQLAddress: Sendable {
  /// The schema of a store whose address names none.
  static let defaultSchema = "graphstore"

  /// The connection, as libpq reads it.
  let connectionInfo: String
  private(set) var schema: String
  /// Whether a pooler gives each transaction another session of the server.
  let isPooledByTransaction: Bool
  /// The address for people: without a password.
  private(set) var text: String

  /// The address of a store in another schema of the database.
  func text(ofSchema name: String) -> String { ServerAddress(text)?.text(with: "schema", name) ?? text }

  /// A store in another schema, by the same connection.
  func inSchema(_ name: String) -> PostgreSQLAddress {
    var address = self
    (address.text, address.schema) = (text(ofSchema: name), name)
    return address
  }

  /// - Throws: `store-open` for a text that is no address of a server.
  init(_ text: String) throws {
    guard let address = ServerAddress(text), address.type == .postgreSQL else {
      throw GraphStoreError(
        .storeOpen, "\(text.prefix { $0 != ":" }) is no address of a PostgreSQL server.",
        remedy: "Write it as postgresql://host/database?schema=name.")
    }
    self.text = address.text
    schema = address.parameter("schema") ?? Self.defaultSchema
    connectionInfo = address.connectionText(without: ["schema", "pooling"])
    let pooling = address.parameter("pooling") ?? "session"
    isPooledByTransaction = pooling == "transaction"
    guard isPooledByTransaction || pooling == "session" else {
      throw GraphStoreError(
        .storeOpen, "\(self.text) names the pooling \"\(pooling)\".",
        remedy: "Connections are pooled by session or by transaction: ?pooling=transaction.")
    }
    guard !schema.isEmpty, schema.utf8.count <= 63, !schema.utf8.contains(0) else {
      throw GraphStoreError(
        .storeOpen, "\(self.text) names a schema of \(schema.utf8.count) bytes.",
        remedy: "The name of a schema has 1 to 63 bytes.")
    }
  }
}
#endif
