import GraphStore
import GraphStoreReports

/// Key path of an element of a composite attribute in an assignment, such as `address.city`.
struct ElementPath {
  /// The path as it was written.
  let text: String
  let composite: AttributeDescription
  let element: AttributeDescription

  /// Nil for a key that does not begin with a composite attribute and a dot.
  ///
  /// - Throws: a diagnostic for an element that the attribute does not have.
  init?(_ key: String, of entity: EntityDescription) throws {
    let names = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1, entity.property(named: key) == nil,
      let composite = entity.attribute(named: names[0]), composite.type == .composite
    else { return nil }
    guard let element = composite.elements(at: Array(names.dropFirst()))?.last else {
      throw Diagnostic(
        code: "unknown-key", message: "\(entity.name) has no element \"\(key)\"",
        suggestions: NearestNames.names(near: key, among: composite.leafKeyPaths), entity: entity.name,
        property: key, exitCode: .usage)
    }
    text = key
    self.composite = composite
    self.element = element
  }
}
