/// Format of dumps: a line that says what the store is, a line for each object, and a line that ends it.
package enum DumpFormat {
  /// The version that is written, and the newest that is read.
  package static let version = 1
  /// The key of the first line, whose value is the version.
  package static let versionKey = "dump"
  /// The key of the last line, whose value is the number of objects.
  package static let endKey = "end"
  /// The key of text that is no UTF-8, and of other bytes where their type is not known: Base64.
  package static let dataTag = "$data"
}
