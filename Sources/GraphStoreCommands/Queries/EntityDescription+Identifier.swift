import GraphStore

extension EntityDescription {
  /// The key under which an object's own id is written: `id`, or `objectID` where a property is called `id`.
  var identifierKey: String { property(named: "id") == nil ? "id" : "objectID" }

  /// Whether a key stands for the object's own id, in records as well as in `--fields` and `--sort`.
  ///
  /// `objectID` always does, for no property can be called so.
  func isIdentifierKey(_ key: String) -> Bool { key == "objectID" || key == "id" && identifierKey == "id" }
}
