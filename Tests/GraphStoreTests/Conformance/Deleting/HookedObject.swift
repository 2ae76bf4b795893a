import GraphStore

/// What the hooks of a context's ``HookedObject``s have seen, and what they do.
final class HookLog {
  /// The objects whose deletion was prepared, in order.
  var objects: [ManagedObject] = []
  /// What the hook does besides.
  var onPrepare: (ManagedObject) throws -> Void = { _ in }
  var errors: [any Error] = []

  /// The names of the objects, which are read only here.
  var names: [String] { objects.compactMap { try? $0.string("name") } }
}

/// Tells its context's log when its deletion is prepared.
final class HookedObject: ManagedObject {
  override func prepareForDeletion() {
    guard let log = managedObjectContext?.userInfo["log"] as? HookLog else { return }
    log.objects.append(self)
    do { try log.onPrepare(self) } catch { log.errors.append(error) }
  }
}

extension TestStack {
  /// A stack over a model all of whose entities have hooks that are logged.
  convenience init(hooked model: ModelDefinition, _ log: HookLog) throws {
    var model = model
    for index in model.entities.indices { model.entities[index].className = "HookedObject" }
    try self.init(model, classes: ["HookedObject": HookedObject.self])
    context.userInfo["log"] = log
  }
}

extension GraphModels {
  /// Machines of parts, tools and a motor, which go with them; items have pieces of their own.
  static let machines = ModelDefinition(
    name: "Machines",
    entities: [
      EntityDefinition(
        "Thing", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition(
            "parts", to: "Item", inverse: "partOf", isToMany: true, isOrdered: true, deleteRule: .cascade)
        ]),
      EntityDefinition(
        "Machine", parent: "Thing",
        relationships: [
          RelationshipDefinition(
            "tools", to: "Item", inverse: "toolOf", isToMany: true, deleteRule: .cascade),
          RelationshipDefinition("motor", to: "Item", inverse: "motorOf", deleteRule: .cascade),
        ]),
      EntityDefinition(
        "Item", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("partOf", to: "Thing", inverse: "parts"),
          RelationshipDefinition("toolOf", to: "Machine", inverse: "tools"),
          RelationshipDefinition("motorOf", to: "Machine", inverse: "motor"),
          RelationshipDefinition(
            "pieces", to: "Item", inverse: "pieceOf", isToMany: true, deleteRule: .cascade),
          RelationshipDefinition("pieceOf", to: "Item", inverse: "pieces"),
        ]),
    ])

  /// An owner with one relationship a rule to things, from a to-many to a to-one and between to-manys.
  static let rules = ModelDefinition(
    name: "Rules",
    entities: [
      EntityDefinition(
        "Owner", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("nullified", to: "Thing", inverse: "nullifiedOf", isToMany: true),
          RelationshipDefinition(
            "cascaded", to: "Thing", inverse: "cascadedOf", isToMany: true, deleteRule: .cascade),
          RelationshipDefinition(
            "denied", to: "Thing", inverse: "deniedOf", isToMany: true, deleteRule: .deny),
          RelationshipDefinition(
            "left", to: "Thing", inverse: "leftOf", isToMany: true, deleteRule: .noAction),
          RelationshipDefinition("plain", to: "Thing", inverse: "plainOf", isToMany: true),
        ]),
      EntityDefinition(
        "Thing", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("nullifiedOf", to: "Owner", inverse: "nullified", deleteRule: .cascade),
          RelationshipDefinition("cascadedOf", to: "Owner", inverse: "cascaded"),
          RelationshipDefinition("deniedOf", to: "Owner", inverse: "denied"),
          RelationshipDefinition("leftOf", to: "Owner", inverse: "left"),
          RelationshipDefinition("plainOf", to: "Owner", inverse: "plain", isToMany: true),
        ]),
    ])
}
