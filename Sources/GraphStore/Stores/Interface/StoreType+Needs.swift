extension StoreType {
  /// Makes sure that work is asked of a SQLite store which only these know; of a file of no type at all
  /// nothing is said.
  ///
  /// - Parameters:
  ///   - work: What is asked, as the subject of a sentence: `Checking`.
  ///   - remedy: What can be done instead.
  /// - Throws: `not-supported`.
  package static func checkIsSQLite(_ path: String, for work: String, remedy: String) throws {
    guard let type = detected(at: path), type != .sqlite else { return }
    throw GraphStoreError(
      .notSupported, "\(work) is for stores of type SQLite, and \(path) is of type \(type).", remedy: remedy)
  }

  /// Makes sure that a SQLite store does not take the place of a store of another type.
  ///
  /// - Throws: `store-type-mismatch`.
  package static func checkIsReplaceableBySQLite(_ path: String) throws {
    guard let type = detected(at: path), type != .sqlite else { return }
    throw GraphStoreError(
      .storeTypeMismatch,
      "\(path) is a store of type \(type), and what is to take its place is of type SQLite.",
      remedy: "Choose another path, or move what is there away.")
  }

  /// Makes sure that a document takes the place of a store of its own type alone.
  ///
  /// - Parameters:
  ///   - source: What the document is made of, for the message.
  ///   - type: The type of the document.
  /// - Throws: `store-type-mismatch`.
  package static func checkIsReplaceable(_ path: String, byDocument source: String, of type: StoreType) throws
  {
    let found = detected(at: path)
    guard found != type else { return }
    throw GraphStoreError(
      .storeTypeMismatch,
      "\(path) is \(found.map { "a store of type \($0)" } ?? "no store"), and \(source) is of type \(type).",
      remedy: "Choose another path, or move what is there away.")
  }
}
