import GraphStoreModel

/// Table of the classes that represent entities, in both directions.
struct ClassTable: Sendable {
  /// By the entity's position in the model.
  private let classes: [ManagedObject.Type]
  /// The position of the entity that a class represents: of several the one that the others descend from.
  private let entities: [ObjectIdentifier: Int]
  /// The entities with objects of their own whose `className` no class is registered for.
  let unregistered: [EntityDescription]
  /// The names of classes that no entity names.
  let unused: [String]
  /// The declarations of the classes, by the entity's position; nil where a class declares nothing, and empty
  /// where none does.
  let declarations: [ClassDeclarations?]
  /// Whether any of them declares mutators.
  let declaresMutators: Bool
  /// Whether any entity goes without objects because its class is missing; mostly none does, and no other
  /// table is asked.
  let refusesAny: Bool
  /// By the entity's position, whether it goes without objects because its class is missing; empty where none
  /// does.
  private let isRefused: [Bool]

  /// - Parameter requiresClasses: Whether entities whose classes are missing can have no objects; nil for the
  ///   model's setting.
  init(
    _ model: ManagedObjectModel, _ named: [String: ManagedObject.Type], requiresClasses: Bool? = nil
  ) {
    classes = model.entities.map { entity in
      entity.className.flatMap { named[$0] } ?? ManagedObject.self
    }
    let declarations = classes.map { ClassDeclarations($0) }
    self.declarations = declarations.contains { $0 != nil } ? declarations : []
    declaresMutators = declarations.contains { $0?.mutators.isEmpty == false }
    let represented = classes.indices.filter { [classes] in classes[$0] != ManagedObject.self }
    entities = Dictionary(grouping: represented) { [classes] in ObjectIdentifier(classes[$0]) }
      .compactMapValues { positions in
        positions.first { top in
          positions.allSatisfy { model.entities[$0].isKind(of: model.entities[top]) }
        }
      }
    unregistered = model.entities.filter { entity in
      guard let name = entity.className, name != Self.generalName else { return false }
      return !entity.isAbstract && named[name] == nil
    }
    unused = Set(named.keys).subtracting(model.entities.compactMap(\.className)).sorted()
    let refused = requiresClasses ?? model.requiresClasses ? Set(unregistered) : []
    refusesAny = !refused.isEmpty
    isRefused = refused.isEmpty ? [] : model.entities.map(refused.contains)
  }

  /// The name of the class that can represent any entity, and needs no registration.
  private static let generalName = "ManagedObject"

  /// Whether any entity is represented by a class of the program.
  var hasClasses: Bool { !entities.isEmpty || classes.contains { $0 != ManagedObject.self } }

  /// The accessors and mutators that the class of an entity declares.
  func declarations(of entity: Int) -> ClassDeclarations? {
    declarations.isEmpty ? nil : declarations[entity]
  }

  subscript(_ entity: Int) -> ManagedObject.Type { classes[entity] }

  /// The position of the entity that a class represents, or nil where it represents none or several apart.
  func entity(of type: ManagedObject.Type) -> Int? { entities[ObjectIdentifier(type)] }

  /// The positions of all entities that a class represents.
  func entities(of type: ManagedObject.Type) -> [Int] { classes.indices.filter { classes[$0] == type } }

  /// Whether an entity goes without objects because the model requires the class that it names.
  func refuses(_ entity: Int) -> Bool { refusesAny && isRefused[entity] }
}

/// Accessors and mutators that a class declares, by key; of several for one key the last, which a class adds
/// behind those of its superclass.
final class ClassDeclarations: Sendable {
  let accessors: [String: KeyedAccessor]
  let mutators: [String: RelationshipMutators]
  /// The keys that have accessors to read by.
  let readableKeys: Set<String>

  /// Nil for a class that declares nothing.
  init?(_ type: ManagedObject.Type) {
    let (accessors, mutators) = (type.keyedAccessors, type.relationshipMutators)
    if accessors.isEmpty, mutators.isEmpty { return nil }
    self.accessors = Dictionary(accessors.map { ($0.name, $0) }) { $1 }
    readableKeys = Set(self.accessors.values.filter { $0.read != nil }.map(\.name))
    self.mutators = Dictionary(mutators.map { ($0.name, $0) }) { $1 }
  }
}

extension ManagedObject {
  /// The declarations of the object's class; nil for most, and for an object that has left its context.
  @inline(__always)
  final var declarations: ClassDeclarations? {
    guard hasOwnClass else { return nil }
    return unsafe heldContext?._withUnsafeGuaranteedRef { context -> ClassDeclarations? in
      if context.classes.declarations.isEmpty || context.fetching.ignoresAccessors { return nil }
      return context.classes.declarations[layout.index]
    } ?? nil
  }
}
