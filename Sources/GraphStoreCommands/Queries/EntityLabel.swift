import GraphStore

/// Prefix of an entity's object ids, encoded once for printing many of them: `Employee/p1`.
struct EntityLabel: Sendable {
  /// The entity's name.
  let name: String
  /// `Employee/` in UTF-8.
  let prefix: [UInt8]

  init(_ name: String) {
    self.name = name
    prefix = Array("\(name)/".utf8)
  }
}

/// Cache of entity labels, with the last one in front.
final class EntityLabels {
  private var last = EntityLabel("")
  private var known: [String: EntityLabel] = [:]

  /// The label of an entity; rows in a line mostly have the same.
  func label(_ name: String) -> EntityLabel {
    if last.name == name { return last }
    if let label = known[name] {
      last = label
      return label
    }
    last = EntityLabel(name)
    known[name] = last
    return last
  }
}

extension EntityDescription {
  /// The key under which an object's own id is written: `id`, or `objectID` where a property is called `id`.
  var identifierKey: String { property(named: "id") == nil ? "id" : "objectID" }

  /// Whether a key stands for the object's own id, in records as well as in `--fields` and `--sort`.
  ///
  /// `objectID` always does, for no property can be called so.
  func isIdentifierKey(_ key: String) -> Bool { key == "objectID" || key == "id" && identifierKey == "id" }
}
