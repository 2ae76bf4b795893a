import GraphStoreModel

/// Name and type resolution: the class of every entity, and what each class declares.
struct ClassPlanner {
  let model: ManagedObjectModel
  private(set) var types = TypeNames(classes: [])
  private(set) var classes: [ClassPlan] = []
  private(set) var classOfEntity: [Int?] = []
  var findings: [ModelProblem] = []

  init(_ model: ManagedObjectModel) { self.model = model }

  mutating func plan() {
    nameClasses()
    types = TypeNames(classes: Set(classes.map { SwiftName.plain($0.name) }))
    for position in classes.indices { classes[position].superclass = superclass(of: position) }
    for position in classes.indices { addMembers(to: position) }
    for position in classes.indices { addInherited(to: position) }
  }

  /// The name of the class that represents an entity.
  func className(of entity: EntityDescription) -> String {
    classOfEntity[entity.index].map { classes[$0].name } ?? types["ManagedObject"]
  }

  // MARK: Classes

  private mutating func nameClasses() {
    var positions: [String: Int] = [:]
    var taken: Set<String> = []
    for entity in model.entities {
      let isManual = Self.isManual(entity.userInfo)
      guard let registered = Self.registeredName(of: entity, isManual: isManual) else {
        classOfEntity.append(nil)
        continue
      }
      if let known = positions[registered] {
        classes[known].entities.append(entity)
        classes[known].isManual = classes[known].isManual || isManual
        classOfEntity.append(known)
        continue
      }
      let last = registered.split(separator: ".").last.map(String.init) ?? registered
      let name = SwiftName.declared(last, taken: taken)
      if SwiftName.plain(name) != last {
        findings.append(
          ModelProblem.warning(
            "class-renamed", at: path(entity).key("className"),
            message:
              "The class of \(entity.name) is written as \(name): \(last) is taken or cannot be a class.",
            remedy: "Give the entity another className."))
      }
      taken.insert(SwiftName.plain(name))
      positions[registered] = classes.count
      classOfEntity.append(classes.count)
      classes.append(
        ClassPlan(
          name: name, registeredName: registered, entities: [entity], superclass: "", isManual: isManual,
          hasHumanFile: definition(entity).xcode["codeGenerationType"] != .string("category")))
    }
  }

  private static func registeredName(of entity: EntityDescription, isManual: Bool) -> String? {
    let general: Set<String?> = [nil, "", "ManagedObject", "NSManagedObject"]
    if general.contains(entity.className) { return isManual ? nil : entity.name }
    return entity.className
  }

  static func isManual(_ userInfo: [String: JSONValue]) -> Bool { userInfo["codegen"] == .string("manual") }

  /// The nearest class above among those of the ancestors.
  private mutating func superclass(of position: Int) -> String {
    let above = classes[position].entities.map { entity -> Int? in
      var ancestor = entity.superentity
      while let current = ancestor {
        if let found = classOfEntity[current.index], found != position { return found }
        ancestor = current.superentity
      }
      return nil
    }
    if let other = above.firstIndex(where: { $0 != above[0] }) {
      let entities = classes[position].entities
      findings.append(
        ModelProblem.warning(
          "shared-class", at: path(entities[other]).key("className"),
          message:
            "\(classes[position].name) is the class of \(entities[0].name) and of \(entities[other].name), whose parents"
            + " have different classes; it inherits from that of \(entities[0].name).",
          remedy: "Give one of the entities another className."))
    }
    return above[0].map { classes[$0].name } ?? types["ManagedObject"]
  }

  // MARK: Members

  private mutating func addMembers(to position: Int) {
    var members: [MemberPlan] = []
    var names = Self.takenNames
    for entity in classes[position].entities {
      for property in ownProperties(of: entity, in: position) where !Self.isManual(property.userInfo) {
        let known = members.firstIndex { $0.key == property.name }
        let taken = known == nil ? names : Self.takenNames
        guard var member = member(for: property, of: entity, taken: taken) else { continue }
        if let known {
          if members[known].keyType != member.keyType || members[known].access != member.access {
            reportConflict(property, of: entity, in: position)
          }
          continue
        }
        names.insert(SwiftName.plain(member.name))
        if let structure = member.composite { names.insert(SwiftName.plain(structure.name)) }
        if case .toMany = member.access {
          let method = "addTo" + SwiftName.capitalized(SwiftName.plain(member.name))
          member.hasMethods = names.insert(method).inserted
          if !member.hasMethods { reportMethods(method, property) }
        }
        members.append(member)
      }
    }
    classes[position].members = members
  }

  /// The properties that an entity declares, with those of ancestors that have no class or the same one.
  private func ownProperties(of entity: EntityDescription, in position: Int) -> [PropertyDescription] {
    var properties = Array(entity.ownProperties)
    var ancestor = entity.superentity
    while let current = ancestor, classOfEntity[current.index].map({ $0 == position }) ?? true {
      if classOfEntity[current.index] == nil { properties = Array(current.ownProperties) + properties }
      ancestor = current.superentity
    }
    return properties
  }

  private mutating func addInherited(to position: Int) {
    guard let entity = classes[position].entities.first else { return }
    var above: [(member: MemberPlan, owner: String)] = []
    var names = Set(classes[position].members.map(\.name))
    var seen: Set<Int> = [position]
    var ancestor = entity.superentity
    while let current = ancestor {
      if let owner = classOfEntity[current.index], seen.insert(owner).inserted, !classes[owner].isManual {
        let inherited = classes[owner].members.filter { names.insert($0.name).inserted }
        above = inherited.map { ($0, classes[owner].name) } + above
      }
      ancestor = current.superentity
    }
    classes[position].inherited = above
  }

  /// Members of every object, as which a property may be named in a model and not in a class.
  private static let takenNames: Set<String> = ObjectMemberNames.all.union([
    "changedKeys", "queryValue", "validateProperty",
  ])

  // MARK: Places and findings

  func definition(_ entity: EntityDescription) -> EntityDefinition { model.definition.entities[entity.index] }

  func path(_ entity: EntityDescription) -> ModelPath { ModelPath().item("entities", entity.index) }

  private mutating func reportConflict(
    _ property: PropertyDescription, of entity: EntityDescription, in position: Int
  ) {
    findings.append(
      ModelProblem.warning(
        "shared-class", at: path(entity),
        message: "\(entity.name).\(property.name) has another type than the property of that name of"
          + " \(classes[position].entities[0].name), and \(classes[position].name) is the class of both.",
        remedy: "Give one of the entities another className."))
  }

  private mutating func reportMethods(_ method: String, _ property: PropertyDescription) {
    findings.append(
      ModelProblem.warning(
        "methods-left-out", at: path(property.entity),
        message: "The methods that change \(property.description) are left out: \(method) is taken.",
        remedy: "Rename one of the properties."))
  }
}
