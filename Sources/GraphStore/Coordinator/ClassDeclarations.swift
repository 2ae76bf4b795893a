/// Accessors and mutators that a class declares, by key; of several for one key the last, which a class adds behind those of
/// its superclass.
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
  /// What the object's class declares; nil for most, and for an object that has left its context.
  @inline(__always)
  final var declarations: ClassDeclarations? {
    guard hasOwnClass else { return nil }
    return unsafe heldContext?._withUnsafeGuaranteedRef { context -> ClassDeclarations? in
      if context.classDeclarations.isEmpty || context.ignoresAccessors { return nil }
      return context.classDeclarations[layout.index]
    } ?? nil
  }
}
