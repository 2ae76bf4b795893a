import GraphStore
import GraphStoreModel
import GraphStoreReports

/// Planner of entities for JSON schemas.
final class SchemaPlanner {
  private struct Subject {
    var plan: PlannedEntity
    var schema: JSONNode
    /// The last part of what refers to it.
    var reference: String
    /// The position of its file.
    var file: Int
  }

  private let files: [SchemaFile]
  /// The position of the file that is looked at.
  private var position = 0
  private var file: SchemaFile { files[position] }
  private var subjects: [Subject] = []
  /// Schemas of plain values, by their names.
  private var values: [String: JSONNode] = [:]
  private var relationships: [SchemaRelationship] = []
  private(set) var plans: [PlannedEntity] = []

  /// - Parameter taken: The names of entities that other files have.
  init(_ files: [SchemaFile], taken: Set<String>) throws {
    self.files = files
    for position in files.indices {
      self.position = position
      try addSubjects(taken: taken)
    }
  }

  private func addSubjects(taken: Set<String>) throws {
    let count = subjects.count
    for (name, schema) in file.schemas {
      guard Self.isOfObjects(schema) else {
        values[name] = schema
        continue
      }
      guard let entity = EntityNames.name(from: name) else {
        throw file.failure(
          "the name \"\(name)\" has no letter that can stand in that of an entity", at: schema,
          hint: "give it a \"title\" of Latin letters")
      }
      guard !taken.contains(entity) else {
        throw Diagnostic(
          code: "usage", message: "\(file.path) describes \(entity), of which another file has records",
          location: Diagnostic.Location(file: file.path),
          hints: ["make the store by the schema, and import the records"], exitCode: .usage)
      }
      let plan = PlannedEntity(EntityNames.unique(entity, among: Set(plans.map(\.name))))
      plans.append(plan)
      subjects.append(Subject(plan: plan, schema: schema, reference: name, file: position))
    }
    guard subjects.count > count || files.count > 1 && !values.isEmpty else {
      throw file.failure(
        "the schema describes no objects", at: file.root,
        hint: "give it \"properties\", or \"$defs\" that have some")
    }
  }

  func run() throws {
    for subject in subjects {
      position = subject.file
      subject.plan.choices.append(
        Choice(
          entity: subject.plan.name, type: "entity",
          reason: "from the schema \(subject.reference) of \(file.path)"))
      try planProperties(of: subject.schema, in: subject.plan)
    }
    try SchemaRelationship.pair(relationships)
    dropInherited()
  }

  /// Whether a schema describes objects with properties, and not plain values.
  private static func isOfObjects(_ schema: JSONNode) -> Bool {
    if schema["properties"]?.members != nil { return true }
    return schema["allOf"]?.items?.contains { $0["properties"] != nil || $0["$ref"] != nil } == true
  }

  private func planProperties(of schema: JSONNode, in plan: PlannedEntity) throws {
    try planOwnProperties(of: schema, in: plan)
    for part in schema["allOf"]?.items ?? [] {
      if part["$ref"] != nil {
        let (parent, _) = try target(of: part)
        guard let parent, parent !== plan else { continue }
        if plan.parent == nil {
          plan.parent = parent.name
          plan.choices[0].reason += ", a kind of \(parent.name) by its allOf"
        } else {
          plan.choices[0].remarks.append("an entity has one parent: what \(parent.name) has is left out")
        }
      } else {
        try planOwnProperties(of: part, in: plan)
      }
    }
    addKeys(to: plan)
  }

  private func planOwnProperties(of schema: JSONNode, in plan: PlannedEntity) throws {
    let required = Set((schema["required"]?.items ?? []).compactMap(\.text))
    guard let properties = schema["properties"] else { return }
    guard let members = properties.members else {
      throw file.failure(
        "\"properties\" is no object", at: properties, hint: "write {\"name\": {\"type\": …}}")
    }
    for (place, member) in members.enumerated() {
      guard member.value.members != nil else {
        if case .bool = member.value.content { continue }
        throw file.failure(
          "the property \"\(member.key)\" is described by no object", at: member.value,
          hint: "write {\"type\": \"string\"}")
      }
      try planProperty(
        member.key, member.value, isRequired: required.contains(member.key), place: place + 1, in: plan)
    }
  }

  // MARK: Properties

  private func planProperty(
    _ field: String, _ described: JSONNode, isRequired: Bool, place: Int, in plan: PlannedEntity
  ) throws {
    let (schema, isNullable) = Self.withoutNull(described)
    let isOptional = !isRequired || isNullable
    let reason = isRequired ? (isNullable ? "required, but may be null" : "required") : "not required"
    var choice = Choice(
      entity: plan.name, property: nil, field: field, type: "", isOptional: isOptional, reason: reason)
    if let (target, isList, isOwned) = try destination(of: schema, named: field, in: plan) {
      let name = plan.names.name(for: field, place: place)
      choice.property = name
      relationships.append(
        SchemaRelationship(
          owner: plan, name: name, target: target, isToMany: isList, isOptional: isList || isOptional,
          isOwned: isOwned, choice: choice))
      return
    }
    let name = plan.names.name(for: field, place: place)
    let attribute = try attribute(name, schema, isOptional: isOptional, depth: 0, &choice)
    choice.property = name
    choice.type = attribute.type.rawValue
    plan.attributes.append(attribute)
    plan.choices.append(choice)
  }

  /// A schema without the alternative of null.
  private static func withoutNull(_ schema: JSONNode) -> (JSONNode, isNullable: Bool) {
    if let types = schema["type"]?.items, types.contains(where: { $0.text == "null" }) {
      return (schema, true)
    }
    for word in ["anyOf", "oneOf"] {
      guard let parts = schema[word]?.items else { continue }
      let others = parts.filter { $0["type"]?.text != "null" }
      if others.count == 1 { return (others[0], parts.count > 1) }
    }
    if let parts = schema["allOf"]?.items, parts.count == 1 { return (parts[0], false) }
    return (schema, false)
  }

  /// The entity that a property leads to, if it is a relationship.
  private func destination(
    of schema: JSONNode, named field: String, in plan: PlannedEntity
  ) throws -> (PlannedEntity, isList: Bool, isOwned: Bool)? {
    if schema["$ref"] != nil {
      guard let target = try target(of: schema).entity else { return nil }
      return (target, false, false)
    }
    if Self.type(of: schema) == "array", let items = schema["items"] {
      if items["$ref"] != nil {
        guard let target = try target(of: items).entity else { return nil }
        return (target, true, false)
      }
      if Self.isOfObjects(items) { return (try nested(field, items, in: plan), true, true) }
    }
    if Self.isOfObjects(schema), !isPlain(schema, depth: 0) {
      return (try nested(field, schema, in: plan), false, true)
    }
    return nil
  }

  private func nested(_ field: String, _ schema: JSONNode, in plan: PlannedEntity) throws -> PlannedEntity {
    let taken = Set(plans.map(\.name))
    let base = EntityNames.name(from: schema["title"]?.text ?? field) ?? "Part"
    let entity = PlannedEntity(
      EntityNames.unique(taken.contains(base) ? plan.name + base : base, among: taken))
    plans.append(entity)
    entity.choices.append(
      Choice(entity: entity.name, type: "entity", reason: "from the objects of \(plan.name).\(field)"))
    try planProperties(of: schema, in: entity)
    return entity
  }

  /// Whether all properties of a schema can be elements of a composite attribute.
  private func isPlain(_ schema: JSONNode, depth: Int) -> Bool {
    guard depth < 7, schema["allOf"] == nil, let properties = schema["properties"]?.members,
      !properties.isEmpty
    else { return false }
    return properties.allSatisfy { member in
      let (part, _) = Self.withoutNull(member.value)
      if part["$ref"] != nil { return (try? target(of: part))?.entity == nil }
      if Self.type(of: part) == "array" {
        return part["items"].map { $0["$ref"] == nil && !Self.isOfObjects($0) } ?? true
      }
      return !Self.isOfObjects(part) || isPlain(part, depth: depth + 1)
    }
  }

  /// What a reference leads to: an entity, or a schema of plain values.
  private func target(of schema: JSONNode) throws -> (entity: PlannedEntity?, values: JSONNode?) {
    guard let node = schema["$ref"], let reference = node.text else {
      throw file.failure(
        "a $ref is no text", at: schema["$ref"] ?? schema, hint: "write {\"$ref\": \"#/$defs/Name\"}")
    }
    let own = subjects.filter { $0.file == position }
    if reference == "#" || reference == "#/", let root = own.first { return (root.plan, nil) }
    let last = Self.name(ofReference: reference)
    // The file's own comes before that of another.
    if let subject = (own + subjects).first(where: { $0.reference == last }) { return (subject.plan, nil) }
    if let schema = values[last] { return (nil, schema) }
    if let name = EntityNames.name(from: last), let subject = subjects.first(where: { $0.plan.name == name })
    {
      return (subject.plan, nil)
    }
    throw file.failure(
      "\"\(reference)\" leads to nothing", at: node,
      hint: "known are \((subjects.map(\.reference) + values.keys.sorted()).joined(separator: ", "))")
  }

  /// `Person` of `#/$defs/Person`, `person.schema.json`, `https://example.org/Person`.
  private static func name(ofReference reference: String) -> String {
    var text = reference[...]
    while text.last == "#" || text.last == "/" { text = text.dropLast() }
    var last = text.split(separator: "/").last.map(String.init) ?? reference
    last = last.replacing("~1", with: "/").replacing("~0", with: "~")
    for ending in [".json", ".schema"] where last.hasSuffix(ending) { last.removeLast(ending.count) }
    return last
  }

  private static func type(of schema: JSONNode) -> String? {
    schema["type"]?.text ?? schema["type"]?.items?.compactMap(\.text).first { $0 != "null" }
  }

  // MARK: Attributes

  private func attribute(
    _ name: String, _ described: JSONNode, isOptional: Bool, depth: Int, _ choice: inout Choice
  ) throws -> AttributeDefinition {
    var schema = described
    if described["$ref"] != nil, depth < 32, let values = try target(of: described).values {
      return try attribute(
        name, Self.withoutNull(values).0, isOptional: isOptional, depth: depth + 1, &choice)
    }
    if Self.isOfObjects(schema) {
      var names = PropertyNames()
      let required = Set((schema["required"]?.items ?? []).compactMap(\.text))
      var elements: [AttributeDefinition] = []
      for (place, member) in (schema["properties"]?.members ?? []).enumerated() {
        let (part, isNullable) = Self.withoutNull(member.value)
        let isMissing = isOptional || isNullable || !required.contains(member.key)
        elements.append(
          try attribute(
            names.name(for: member.key, place: place + 1), part, isOptional: isMissing, depth: depth + 1,
            &choice))
      }
      return AttributeDefinition(name, .composite, isOptional: isOptional, elements: elements)
    }
    schema = Self.withoutNull(schema).0
    return SchemaAttribute(schema).definition(name, isOptional: isOptional, &choice)
  }

  /// Required properties named like keys are unique.
  private func addKeys(to plan: PlannedEntity) {
    for attribute in plan.attributes
    where !attribute.isOptional && KeyNames.isKey(attribute.name, of: plan.name) {
      guard ![.transformable, .composite, .binary].contains(attribute.type),
        !plan.uniquenessConstraints.contains([attribute.name])
      else { continue }
      plan.uniquenessConstraints.append([attribute.name])
      if let place = plan.choices.firstIndex(where: { $0.property == attribute.name }) {
        plan.choices[place].reason += "; unique, as a key is"
      }
    }
  }

  /// What a parent has is not said again.
  private func dropInherited() {
    let byName = Dictionary(plans.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for plan in plans {
      var seen: Set<String> = [plan.name]
      var parent = plan.parent.flatMap { byName[$0] }
      while let current = parent {
        guard seen.insert(current.name).inserted else {
          plan.parent = nil
          break
        }
        let inherited = Set(current.attributes.map(\.name) + current.relationships.map(\.name))
        plan.attributes.removeAll { inherited.contains($0.name) }
        plan.uniquenessConstraints.removeAll { !inherited.isDisjoint(with: $0) }
        parent = current.parent.flatMap { byName[$0] }
      }
    }
  }
}
