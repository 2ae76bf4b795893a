import Foundation
import GraphStore
import GraphStoreReports

/// Parser of assignments and JSON records into changes of objects of an entity.
///
/// Everything is read and looked up before anything is changed.
struct ChangeReader {
  let session: CommandSession
  /// Objects that the records of one input refer to by the id they gave.
  var labels: [String: ManagedObject] = [:]
  /// Where new objects go, and what they are related to is looked for; nil for all stores.
  private let store: PersistentStoreReference?

  init(_ session: CommandSession, into store: PersistentStoreReference? = nil) {
    self.session = session
    self.store = store
  }

  // MARK: Words

  func changes(_ assignments: [Assignment], _ entity: EntityDescription) throws -> [ObjectChange] {
    try gathered(assignments, entity) { assignment in try entity.naming { try change(assignment, entity) } }
  }

  /// The changes that are read of single values; what is wrong with several of them is told together.
  private func gathered<Item>(
    _ items: [Item], _ entity: EntityDescription, _ read: (Item) throws -> ObjectChange?
  ) throws -> [ObjectChange] {
    var problems = ValueProblems()
    let changes = try items.compactMap { item in try problems.gather { try read(item) }.flatMap(\.self) }
    guard problems.isEmpty else { throw problems.error(with: violations(by: changes, of: entity)) }
    return Self.elementsLast(changes)
  }

  /// What rules of the model say of the values that could be read, tried at an object of a context of its
  /// own: that of the session keeps what can be redone.
  private func violations(by changes: [ObjectChange], of entity: EntityDescription) -> [Diagnostic] {
    guard !entity.isAbstract, let coordinator = try? session.coordinator(.write) else { return [] }
    let trial = ManagedObjectContext(coordinator: coordinator)
    return trial.performAndWait {
      guard let object = try? trial.insert(entityNamed: entity.name) else { return [] }
      for case .attribute(let attribute, let value) in changes {
        try? object.setQueryValue(value, forKey: attribute.name)
      }
      return Self.violations(of: object, among: Set(changes.map(\.property.name)))
    }
  }

  private static func violations(of object: ManagedObject, among properties: Set<String>) -> [Diagnostic] {
    do {
      try object.validateForInsert()
      return []
    } catch {
      guard let error = error as? GraphStoreError else { return [] }
      return (error.errors.isEmpty ? [error] : error.errors)
        .filter { $0.property.map(properties.contains) ?? false }.map { DiagnosticMapper.diagnostic(for: $0) }
    }
  }

  /// The whole of a composite attribute is set before its elements, in whatever order they were given.
  private static func elementsLast(_ changes: [ObjectChange]) -> [ObjectChange] {
    func isElement(_ change: ObjectChange) -> Bool { if case .element = change { true } else { false } }
    return changes.filter { !isElement($0) } + changes.filter(isElement)
  }

  private func change(_ assignment: Assignment, _ entity: EntityDescription) throws -> ObjectChange {
    if let element = try ElementPath(assignment.key, of: entity) { return try change(assignment, element) }
    let property = try Self.property(assignment.key, entity)
    if let relationship = property as? RelationshipDescription { return try change(assignment, relationship) }
    let attribute = try Self.storedAttribute(property, entity)
    switch assignment.content {
    case .text(let text):
      return .attribute(
        attribute,
        try value(attribute) { () throws(ValueConversionError) in try attribute.value(fromText: text) })
    case .json(let json):
      return .attribute(
        attribute,
        try value(attribute) { () throws(ValueConversionError) in
          try attribute.value(fromJSON: json, decodes: session.settings.decodes)
        })
    case .file(let file) where file.isLarge && attribute.allowsExternalStorage:
      return .file(attribute, URL(fileURLWithPath: file.path))
    case .file(let file): return .attribute(attribute, try value(file.bytes(), of: file.path, attribute))
    case .match:
      throw unfit(
        assignment.key, entity: entity, reason: "is an attribute; ?= looks objects up for relationships")
    case .added(let text):
      guard attribute.type.isNumber else {
        throw unfit(assignment.key, entity: entity, reason: "is no number; += adds numbers")
      }
      return .increment(
        attribute,
        try value(attribute) { () throws(ValueConversionError) in try attribute.value(fromText: text) })
    }
  }

  private func change(_ assignment: Assignment, _ path: ElementPath) throws -> ObjectChange {
    _ = try Self.storedAttribute(path.composite, path.composite.entity)
    let element = path.element
    switch assignment.content {
    case .text(let text):
      return .element(
        path, try value(element) { () throws(ValueConversionError) in try element.value(fromText: text) })
    case .json(let json): return .element(path, try elementValue(json, path))
    case .file(let file): return .element(path, try value(file.bytes(), of: file.path, element))
    case .match, .added:
      throw unfit(
        assignment.key, entity: path.composite.entity,
        reason: "is an element of a composite attribute, which = and := set")
    }
  }

  private func elementValue(_ json: JSONValue, _ path: ElementPath) throws -> Value {
    try value(path.element) { () throws(ValueConversionError) in
      try path.element.value(fromJSON: json, decodes: session.settings.decodes)
    }
  }

  private func change(_ assignment: Assignment, _ relationship: RelationshipDescription) throws
    -> ObjectChange
  {
    switch assignment.content {
    case .text(let text): return try change(relationship, try identifiers(text))
    case .json(let json): return try change(json, relationship)
    case .match(let text): return try change(relationship, try matches(text, relationship))
    case .added(let text):
      guard relationship.isToMany else {
        throw unfit(
          relationship.name, entity: relationship.entity, reason: "leads to one object; += adds to several")
      }
      return .addMembers(relationship, try identifiers(text))
    case .file:
      throw unfit(
        relationship.name, entity: relationship.entity, reason: "is a relationship and takes ids, not a file")
    }
  }

  private func identifiers(_ text: String) throws -> [ObjectTarget] {
    try text.split(separator: ",").map { try target(String($0)) }
  }

  private func target(_ text: String) throws -> ObjectTarget {
    if let labelled = labels[text] { return .existing(labelled) }
    return .existing(try session.object(text, .write))
  }

  private func matches(_ text: String, _ relationship: RelationshipDescription) throws -> [ObjectTarget] {
    let destination = relationship.destination
    do {
      let query = try session.query(
        try filter(text, limit: relationship.isToMany ? nil : 2), for: destination, of: store)
      let found = try query.run { try session.context(.write).fetch($0) }
      session.warn(of: query, selected: found.count)
      guard !relationship.isToMany else { return found.map { .existing($0) } }
      guard let first = found.first else {
        throw Diagnostic(
          code: "unresolved-link", message: "no \(destination.name) matches \(text)",
          entity: destination.name, property: relationship.name, exitCode: .dataError)
      }
      guard found.count == 1 else {
        throw Diagnostic(
          code: "not-unique", message: "several \(destination.name) match \(text), and one is needed",
          details: found.map(\.objectID.shortForm), entity: destination.name, property: relationship.name,
          exitCode: .dataError)
      }
      return [.existing(first)]
    } catch var error as LocatedPredicateError {
      error.label = "\(relationship.name)?="
      throw error
    }
  }

  /// What a condition asks for, with the variables that the session has set.
  private func filter(_ predicate: String, limit: Int?) throws(Diagnostic) -> QueryText {
    var text = QueryText(predicates: [predicate])
    text.variables = try PredicateVariable.values(of: session.settings.variables)
    text.limit = limit
    return text
  }

  private func value(_ bytes: [UInt8], of path: String, _ attribute: AttributeDescription) throws -> Value {
    if attribute.type == .binary { return .data(Data(bytes)) }
    if attribute.type == .transformable {
      return try value(attribute) { () throws(ValueConversionError) in
        try attribute.value(fromText: Data(bytes).base64EncodedString())
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic(
        code: "not-utf8", message: "\(attribute.description): \(path) is not UTF-8 text",
        hints: ["only binary attributes take any bytes"], property: attribute.name, exitCode: .dataError)
    }
    return try value(attribute) { () throws(ValueConversionError) in
      try attribute.value(fromText: attribute.type == .string ? text : text.trimmingCharacters(in: .newlines))
    }
  }

  // MARK: JSON

  /// Changes of an object from the members of a JSON object; its own id and `entity` are not among them.
  func changes(
    _ members: [String: JSONValue], _ entity: EntityDescription
  ) throws -> [ObjectChange] {
    try gathered(members.sorted { $0.key < $1.key }, entity) { key, json in
      try entity.naming { try change(key, json, entity) }
    }
  }

  private func change(_ key: String, _ json: JSONValue, _ entity: EntityDescription) throws -> ObjectChange? {
    if entity.isIdentifierKey(key) || key == "entity" && entity.property(named: key) == nil { return nil }
    if let path = try ElementPath(key, of: entity) {
      _ = try Self.storedAttribute(path.composite, entity)
      return .element(path, try elementValue(json, path))
    }
    let property = try Self.property(key, entity)
    if let relationship = property as? RelationshipDescription { return try change(json, relationship) }
    let attribute = try Self.storedAttribute(property, entity)
    return .attribute(
      attribute,
      try value(attribute) { () throws(ValueConversionError) in
        try attribute.value(fromJSON: json, decodes: session.settings.decodes)
      })
  }

  /// The entity of a record: the one that its `entity` names, if it belongs to the family asked for.
  func entity(of members: [String: JSONValue], _ entity: EntityDescription) throws -> EntityDescription {
    guard case .string(let name)? = members["entity"], entity.property(named: "entity") == nil else {
      return entity
    }
    let named = try entity.model.entity(named: name)
    guard named.isKind(of: entity) else {
      throw Diagnostic(
        code: "wrong-destination", message: "\(name) is no \(entity.name)", entity: name, exitCode: .dataError
      )
    }
    return named
  }

  private func change(_ json: JSONValue, _ relationship: RelationshipDescription) throws -> ObjectChange {
    switch json {
    case .null: return try change(relationship, [])
    case .array(let items): return try change(relationship, items.map { try target($0, relationship) })
    default: return try change(relationship, [target(json, relationship)])
    }
  }

  private func target(_ json: JSONValue, _ relationship: RelationshipDescription) throws -> ObjectTarget {
    switch json {
    case .string(let text): return try target(text)
    case .object(let members):
      let entity = try entity(of: members, relationship.destination)
      return .new(ObjectDraft(entity: entity, changes: try changes(members, entity)))
    default:
      throw Diagnostic(
        code: "value-type", message: "\(relationship.description): a JSON \(json.typeName) names no object",
        hints: ["write an id such as \"\(relationship.destination.name)/p1\", or an object to be made"],
        property: relationship.name, exitCode: .dataError)
    }
  }

  private func change(
    _ relationship: RelationshipDescription, _ targets: [ObjectTarget]
  ) throws -> ObjectChange {
    if relationship.isToMany { return .toMany(relationship, targets) }
    guard targets.count < 2 else {
      throw Diagnostic(
        code: "wrong-cardinality",
        message: "\(relationship.description) leads to one object, not to \(targets.count)",
        property: relationship.name, exitCode: .dataError)
    }
    return .toOne(relationship, targets.first)
  }

  // MARK: Errors

  static func property(_ key: String, _ entity: EntityDescription) throws -> PropertyDescription {
    if let property = entity.property(named: key) { return property }
    throw CommandSession.unknownKey(key, entity)
  }

  /// An attribute whose value is kept: others are refused, as `import` refuses them.
  private static func storedAttribute(
    _ property: PropertyDescription, _ entity: EntityDescription
  ) throws -> AttributeDescription {
    let reason: String
    if let attribute = property as? AttributeDescription {
      guard attribute.hasTransformer else { throw withoutTransformer(attribute) }
      guard attribute.isDerived || attribute.isTransient else { return attribute }
      reason = attribute.isDerived ? "is computed" : "is not stored"
    } else {
      reason = "is fetched"
    }
    throw Diagnostic(
      code: "read-only-property", message: "\(entity.name).\(property.name) \(reason) and cannot be set",
      entity: entity.name, property: property.name, exitCode: .usage)
  }

  private static func withoutTransformer(_ attribute: AttributeDescription) -> Diagnostic {
    Diagnostic(
      code: GraphStoreError.Code.transformerMissing.rawValue, message: attribute.lackOfTransformer,
      hints: ["leave it out: what is stored stays as it is"], entity: attribute.entity.name,
      property: attribute.keyPath, exitCode: .dataError)
  }

  private func value(
    _ attribute: AttributeDescription, _ read: () throws(ValueConversionError) -> Value
  ) throws -> Value {
    if attribute.isTransient, attribute.isOptional { throw Self.notStored(attribute) }
    do {
      let value = try read()
      if let lacking = attribute.missingTransformer(for: value) { throw Self.withoutTransformer(lacking) }
      return value
    } catch let error as ValueConversionError {
      throw Diagnostic(
        code: error.code.rawValue, message: DiagnosticMapper.clause(error.message),
        hints: error.hint.map { [DiagnosticMapper.hint($0)] } ?? [], entity: attribute.entity.name,
        property: error.element ?? attribute.keyPath,
        exitCode: error.code == .unknownKey ? .usage : .dataError)
    }
  }

  /// A value that would be lost is refused, as `import` refuses it. One that must be there is taken: it is
  /// checked, and not stored.
  private static func notStored(_ attribute: AttributeDescription) -> Diagnostic {
    Diagnostic(
      code: "read-only-property",
      message:
        "\(attribute.description) is transient: its value is not stored, so that it cannot be set here",
      entity: attribute.entity.name, property: attribute.name, exitCode: .usage)
  }

  private func unfit(_ key: String, entity: EntityDescription, reason: String) -> Diagnostic {
    Diagnostic(
      code: "wrong-property-kind", message: "\(entity.name).\(key) \(reason)", entity: entity.name,
      property: key,
      exitCode: .usage)
  }
}
