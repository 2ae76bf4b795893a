/// An entity mapping written by hand, with the entities that it names.
struct ListedEntityMapping {
  /// The position of its mapping among those of the step.
  let part: Int
  /// Its position there.
  let position: Int
  let mapping: EntityMapping
  /// The entity of the source; nil for none.
  let source: EntityDescription?
  /// The entity of the destination; nil for none.
  let destination: EntityDescription?

  var path: ModelPath { ModelPath().item("entityMappings", position) }

  /// Whether it makes no objects, and only states properties for mappings of sub-entities (MIG-158).
  var isAbstract: Bool { source?.isAbstract == true && destination?.isAbstract == true }

  /// Whether it states properties for objects of one entity that become objects of another.
  func carries(from origin: EntityDescription, to target: EntityDescription) -> Bool {
    guard isAbstract, let source, let destination else { return false }
    return origin.isKind(of: source) && target.isKind(of: destination)
  }

  /// The depth of its entities: of several that carry one mapping, the deepest decides.
  var depth: Int {
    func depth(_ entity: EntityDescription?) -> Int {
      sequence(first: entity?.superentity, next: { $0?.superentity }).prefix { $0 != nil }.reduce(0) {
        count, _ in count + 1
      }
    }
    return depth(destination) + depth(source)
  }
}
