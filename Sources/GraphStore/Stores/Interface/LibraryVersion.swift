/// Version of the library, as stores note who wrote them.
package enum LibraryVersion {
  /// The number.
  package static let current = "0.1.0"
  /// The name with the number.
  package static let name = "GraphStore \(current)"
}
