import GraphStore

/// Prefix of an entity's object ids, encoded once for printing many of them: `Employee/p1`.
package struct EntityLabel: Sendable {
  /// The entity's name.
  package let name: String
  /// `Employee/` in UTF-8, or `archive:Employee/`.
  package let prefix: [UInt8]

  /// - Parameter store: The name of the objects' store where ids have to say it.
  init(_ name: String, in store: String? = nil) {
    self.name = name
    prefix = Array("\(store.map { $0 + ":" } ?? "")\(name)/".utf8)
  }
}

/// Cache of entity labels, with the last one in front.
final class EntityLabels {
  /// The entities of which several stores have objects, so that ids name the store.
  private let ambiguous: Set<String>
  // Asked for with every object and reference: not checked for exclusivity, as in `OutputBuffer`.

  /// The name of the store whose record is shown.
  @safe @exclusivity(unchecked) private var store: String?
  @safe @exclusivity(unchecked) private var last = EntityLabel("")
  /// By store and entity.
  @safe @exclusivity(unchecked) private var known: [String?: [String: EntityLabel]] = [:]

  /// - Parameter ambiguous: The entities whose ids have to name their stores.
  init(ambiguous: Set<String> = []) { self.ambiguous = ambiguous }

  /// Takes note of the store that a record is in.
  @inline(__always)
  func enter(_ row: some FieldRow) {
    if !ambiguous.isEmpty { enter(store: row.objectID.storeName) }
  }

  private func enter(store name: String?) {
    guard name != store else { return }
    store = name
    last = EntityLabel("")
  }

  /// The label of an entity in the record's store; rows in a line mostly have the same.
  func label(_ name: String) -> EntityLabel {
    if last.name == name { return last }
    last = label(name, in: store)
    return last
  }

  /// The label of an entity in a store; nil for objects that are in none yet.
  func label(_ name: String, in store: String?) -> EntityLabel {
    let store = ambiguous.contains(name) ? store : nil
    if let label = known[store]?[name] { return label }
    let label = EntityLabel(name, in: store)
    known[store, default: [:]][name] = label
    return label
  }
}

extension EntityDescription {
  /// The key under which an object's own id is written.
  package var identifierKey: String { Self.identifierKey(of: [self]) }

  /// The key under which the ids of objects of several entities are written: the first of `id`, `objectID`
  /// and `self` that is no property of any.
  package static func identifierKey(of entities: [EntityDescription]) -> String {
    ["id", "objectID"].first { key in entities.allSatisfy { $0.property(named: key) == nil } } ?? "self"
  }

  /// Whether a key stands for the object's own id, in records as well as in `--fields` and `--sort`.
  ///
  /// `objectID` does, where no property is called so.
  package func isIdentifierKey(_ key: String) -> Bool {
    key == identifierKey || key == "objectID" && property(named: key) == nil
  }
}
