import Foundation
import GraphStore
import GraphStoreReports

extension CommandSession {
  /// The model of a file, else the store's where a store is named, else that of the environment's model file.
  func model(_ file: String? = nil) throws -> ManagedObjectModel {
    if let file { return try ManagedObjectModel(contentsOf: file) }
    if let model = try givenModel() { return model }
    if openContext != nil || !settings.stores.isEmpty { return try coordinator(.read).managedObjectModel }
    return try ManagedObjectModel(mergingContentsOf: try modelPaths())
  }

  /// The model that the options name; several are merged.
  func givenModel() throws -> ManagedObjectModel? {
    settings.models.isEmpty ? nil : try ManagedObjectModel(mergingContentsOf: settings.models)
  }

  /// The model of several files, with what their readers have to say as warnings.
  func loadModel(_ files: [String]) throws -> ManagedObjectModel {
    let loaded = try LoadedModel(mergingContentsOf: files)
    for finding in loaded.findings { report(DiagnosticMapper.warning(finding, file: loaded.file)) }
    return loaded.model
  }

  /// The entity of a name, with the names near it in the error.
  func entity(_ name: String, _ access: Access = .read) throws -> EntityDescription {
    try coordinator(access).managedObjectModel.entity(named: name)
  }

  /// The query for objects of an entity that a command makes of its options.
  ///
  /// - Parameter store: The store that is asked; nil for all.
  /// - Throws: ``LocatedPredicateError`` for a text that cannot be read.
  func query(
    _ text: QueryText, for entity: EntityDescription, of store: PersistentStoreReference? = nil
  ) throws -> EntityQuery {
    let query = try EntityQuery(entity, text, of: store, in: openContext?.coordinator)
    askedVariables.formUnion(query.askedVariables)
    if settings.isVerbose {
      for (text, predicate) in zip(text.searches, query.searches) {
        say(hint: "--search \(text) is \(predicate)")
      }
    }
    return query
  }

  /// The store that was opened under a name.
  func store(named name: String, _ access: Access = .read) throws -> PersistentStoreReference {
    let coordinator = try coordinator(access)
    if let store = coordinator.persistentStore(named: name) { return store }
    let names = coordinator.persistentStores.compactMap(\.name)
    throw Diagnostic(
      code: "unknown-store", message: "no store is called \"\(name)\"",
      hints: [
        names.isEmpty ? "give stores names: --store NAME=PATH" : "open are \(names.joined(separator: ", "))"
      ],
      suggestions: NearestNames.names(near: name, among: names), exitCode: .usage)
  }

  /// What an id names: `Employee/p12`, `archive:Employee/p12` where several stores are open, a URI, or
  /// `Employee/t1` for an object that is not saved yet.
  func identifier(_ text: String, _ access: Access = .read) throws -> ManagedObjectID {
    let context = try context(access)
    if let id = context.coordinator.managedObjectID(forShortForm: text) { return id }
    if text.contains(":"), let uri = URL(string: text),
      let id = context.coordinator.managedObjectID(forURIRepresentation: uri)
    {
      return id
    }
    if let id = try unsavedIdentifier(text) ?? formerIdentifiers[text] { return id }
    if let error = context.coordinator.refusal(ofTemporary: text) { throw error }
    try checkParts(ofIdentifier: text, context.coordinator)
    throw Diagnostic(
      code: "bad-id", message: "\"\(text)\" is no object's id in this store",
      hints: ["an id is an entity and a number, such as Employee/p12, or the object's URI"], exitCode: .usage)
  }

  /// What an id names that a new object of an entity is to get.
  ///
  /// - Throws: `bad-id` for one of another entity.
  func newIdentifier(_ text: String, of entity: EntityDescription) throws -> ManagedObjectID {
    let id = try identifier(text, .write)
    guard id.entity === entity, !id.isTemporaryID else {
      throw Diagnostic(
        code: "bad-id", message: "\"\(text)\" is no id that a new \(entity.name) can get",
        hints: ["write it as \(entity.name)/p12"], exitCode: .usage)
    }
    return id
  }

  /// The id of an object that is not saved yet, in the present context or in one that it reads from.
  ///
  /// - Throws: `bad-id` for one of another context.
  private func unsavedIdentifier(_ text: String) throws -> ManagedObjectID? {
    guard let contexts else { return nil }
    func find(in context: SessionContext) -> ManagedObjectID? {
      context.context.insertedObjects.first { $0.objectID.shortForm == text }?.objectID
    }
    for context in (contexts.present.ancestors + [contexts.present]).reversed() {
      if let id = find(in: context) { return id }
    }
    guard let owner = contexts.all.first(where: { find(in: $0) != nil }) else { return nil }
    throw Diagnostic(
      code: "bad-id", message: "\"\(text)\" is an unsaved object of the context \(owner.name)",
      hints: [".context switch \(owner.name), or .commit it there first"], exitCode: .usage)
  }

  /// Finds the part of an id that is wrong: the store, the entity, or that it does not say which store.
  private func checkParts(ofIdentifier text: String, _ coordinator: PersistentStoreCoordinator) throws {
    guard let slash = text.firstIndex(of: "/") else { return }
    let parts = text[..<slash].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    let names = coordinator.persistentStores.compactMap(\.name)
    if parts.count == 2 {
      if names.isEmpty || parts[0] == "x-coredata" { return }
      _ = try store(named: parts[0])
    }
    let entity = try coordinator.managedObjectModel.entity(named: parts[parts.count - 1])
    guard parts.count == 1, coordinator.ambiguousEntityNames.contains(entity.name) else { return }
    throw Diagnostic(
      code: "ambiguous-id", message: "several stores have objects of \(entity.name): which \(text) is meant?",
      hints: ["write \(names.map { "\($0):\(text)" }.joined(separator: " or "))"], exitCode: .usage)
  }

  /// The object of an id.
  ///
  /// - Throws: `object-not-found`.
  func object(_ text: String, _ access: Access = .read) throws -> ManagedObject {
    try context(access).existingObject(with: try identifier(text, access))
  }

  /// An object and one of its relationships, written `Project/p1.members`.
  func end(_ text: String) throws -> (object: ManagedObject, relationship: RelationshipDescription) {
    guard let dot = text.lastIndex(of: "."), dot > (text.lastIndex(of: "/") ?? text.startIndex) else {
      throw Diagnostic(
        code: "bad-id", message: "\"\(text)\" names no relationship of an object",
        hints: ["write the object's id, a dot and the relationship: Project/p1.members"], exitCode: .usage)
    }
    let object = try object(String(text[..<dot]), .write)
    let name = String(text[text.index(after: dot)...])
    guard let property = object.entity.property(named: name) else {
      throw Self.unknownKey(name, object.entity)
    }
    guard let relationship = property as? RelationshipDescription else {
      throw Diagnostic(
        code: "wrong-property-kind", message: "\(object.entity.name).\(name) is no relationship",
        hints: ["relationships are \(object.entity.relationships.map(\.name).joined(separator: ", "))"],
        entity: object.entity.name, property: name, exitCode: .usage)
    }
    return (object, relationship)
  }

  static func unknownKey(_ name: String, _ entity: EntityDescription) -> Diagnostic {
    let names = entity.properties.map(\.name)
    let suggestions = NearestNames.names(near: name, among: names)
    return Diagnostic(
      code: "unknown-key", message: "\(entity.name) has no attribute or relationship \"\(name)\"",
      hints: [DiagnosticMapper.known(names.filter { !suggestions.contains($0) }, after: suggestions)],
      suggestions: suggestions, entity: entity.name, property: name, exitCode: .usage)
  }
}
