import GraphStoreModel

/// A class to be written, and the entities it represents.
struct ClassPlan: Sendable {
  /// The name as it is declared.
  var name: String
  /// The name under which it is registered; nil for a class that represents nothing by itself.
  var registeredName: String?
  /// The entities, in the order of the model.
  var entities: [EntityDescription]
  /// The name of the class it inherits from.
  var superclass: String
  /// Whether the author of the model writes the class.
  var isManual: Bool
  /// Whether people get a file of their own to write in.
  var hasHumanFile: Bool
  /// The properties that the class declares.
  var members: [MemberPlan] = []
  /// The properties that classes above declare, and the class of each.
  var inherited: [(member: MemberPlan, owner: String)] = []

  /// The base name of the class's files.
  var fileName: String { SwiftName.plain(name) }
}

/// A property of a class to be written.
struct MemberPlan: Sendable {
  /// Kind of access to the property.
  enum Access: Hashable, Sendable {
    /// An attribute; nil where no value is stored.
    case optional
    /// An attribute; the zero of its type where no value is stored.
    case defaultValued
    /// A relationship to one object.
    case toOne
    /// A relationship to several objects.
    case toMany(isOrdered: Bool)
    /// A fetched property, which can be read only.
    case fetched
  }

  /// The name as it is declared.
  var name: String
  /// The name in the model.
  var key: String
  /// The type of the value without its optionality; of a to-many and a fetched property, the class of the
  /// objects.
  var type: String
  /// The type of the key without its owner: `AttributeKey`, and what it is of.
  var keyType: (name: String, element: String)
  var access: Access
  /// Whether the value is computed by the store.
  var isReadOnly = false
  /// The structure of a composite attribute.
  var composite: CompositePlan?
  /// The summary of the property, in words.
  var summary: String
  /// Whether the methods that change a to-many can have their names.
  var hasMethods = true

  /// The type of the key of a class.
  func keyType(of owner: String) -> String { "\(keyType.name)<\(owner), \(keyType.element)>" }
}

/// Outline of the code for a model: every name and type resolved, with what had to be left out.
struct CodePlan: Sendable {
  let model: ManagedObjectModel
  /// The model's name, without the ending of a file `NAME.graphmodel.json`.
  let modelName: String
  let types: TypeNames
  /// The classes, in the order of the first entity of each.
  let classes: [ClassPlan]
  /// The name of the model's own type.
  let namespace: String
  /// The functions for templates.
  let templates: [TemplatePlan]
  let findings: [ModelProblem]
  /// The class of each entity by the entity's position; nil for `ManagedObject`.
  private let classOfEntity: [Int?]

  init(_ model: ManagedObjectModel) {
    var planner = ClassPlanner(model)
    planner.plan()
    self.model = model
    types = planner.types
    classes = planner.classes
    classOfEntity = planner.classOfEntity
    let names = Set(planner.classes.map { SwiftName.plain($0.name) })
    let name = model.name.hasSuffix(".graphmodel") ? String(model.name.dropLast(11)) : model.name
    modelName = name
    let base = name.hasSuffix("Model") ? name : name + "Model"
    namespace = SwiftName.declared(SwiftName.capitalized(base), taken: names)
    var templates = TemplatePlanner(model, planner)
    templates.plan()
    self.templates = templates.templates
    findings = planner.findings + templates.findings
  }

  /// Whether a class inherits from another, directly or through other classes.
  func isClass(_ ancestor: ClassPlan, above planned: ClassPlan) -> Bool {
    var name = planned.superclass
    while let current = classes.first(where: { $0.name == name }) {
      if current.name == ancestor.name { return true }
      name = current.superclass
    }
    return false
  }

  /// The model as the generated code carries it: every entity names its class.
  var definition: ModelDefinition {
    var definition = model.definition
    definition.name = modelName
    for (position, index) in classOfEntity.enumerated() {
      if let name = index.flatMap({ classes[$0].registeredName }) {
        definition.entities[position].className = name
      }
    }
    return definition
  }
}

/// Summary of a property in the model, for a documentation comment.
enum PropertySummary {
  static func text(_ attribute: AttributeDescription, _ definition: AttributeDefinition?) -> String {
    var parts = [attribute.type.rawValue]
    if attribute.isDerived {
      parts.append("computed by the store")
    } else {
      parts.append(attribute.isOptional ? "optional" : "required")
    }
    if attribute.isTransient { parts.append("never stored") }
    if let value = definition?.defaultValue.flatMap(plain) { parts.append("default \(value)") }
    if let value = definition?.minimum.flatMap(plain) { parts.append("at least \(value)") }
    if let value = definition?.maximum.flatMap(plain) { parts.append("at most \(value)") }
    switch (attribute.minLength, attribute.maxLength) {
    case (let least?, let most?): parts.append("\(least) to \(most) UTF-16 units")
    case (let least?, nil): parts.append("\(least) UTF-16 units or more")
    case (nil, let most?): parts.append("up to \(most) UTF-16 units")
    case (nil, nil): break
    }
    if let pattern = attribute.pattern { parts.append("matches `\(pattern)`") }
    return "`\(attribute.name)`: \(parts.joined(separator: ", "))."
  }

  static func text(_ relationship: RelationshipDescription) -> String {
    var parts = [
      relationship.isToMany
        ? (relationship.isOrdered ? "ordered, to many" : "to many") : "to one",
      relationship.requiresMember ? "required" : "optional",
    ]
    parts[0] += " \(relationship.destination.name)"
    if let inverse = relationship.inverse {
      parts.append("inverse `\(inverse.name)`")
    } else {
      parts.append("without inverse")
    }
    if relationship.isToMany, relationship.maxCount > 0 { parts.append("at most \(relationship.maxCount)") }
    parts.append("delete rule \(relationship.deleteRule.rawValue)")
    return "`\(relationship.name)`: \(parts.joined(separator: ", "))."
  }

  static func text(_ property: FetchedPropertyDescription) -> String {
    var parts = ["fetched \(property.destination.name)"]
    if let predicate = property.predicate { parts.append("where `\(predicate.predicateFormat)`") }
    if property.limit > 0 { parts.append("at most \(property.limit)") }
    return "`\(property.name)`: \(parts.joined(separator: ", "))."
  }

  private static func plain(_ value: JSONValue) -> String? {
    switch value {
    case .bool(let flag): "\(flag)"
    case .number(let text): text
    case .string(let text): text.isEmpty ? nil : "`\(text)`"
    case .null, .array, .object: nil
    }
  }
}
