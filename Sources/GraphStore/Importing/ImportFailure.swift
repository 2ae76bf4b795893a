/// A record that cannot be imported, and why.
package struct ImportFailure: Error {
  /// The record's place in the input, as the caller numbered it.
  package var record: Int
  /// The line on which it begins.
  package var line: Int
  package var error: GraphStoreError
}
