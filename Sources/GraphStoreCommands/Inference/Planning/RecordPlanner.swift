import GraphStore

/// Planner of entities for what was seen of records.
final class RecordPlanner {
  /// An entity of a file, with what was seen of it.
  struct Subject {
    var plan: PlannedEntity
    var group: RecordSurvey.Group
    /// The field whose values other records refer to.
    var key: FieldSurvey?
  }

  let kept: KeptValues
  private(set) var subjects: [Subject] = []
  private(set) var plans: [PlannedEntity] = []
  var links = PlannedLinks()

  init(_ survey: RecordSurvey) {
    kept = survey.kept
    for group in survey.groups {
      let plan = PlannedEntity(group.name)
      plans.append(plan)
      let key = Self.key(of: group)
      plan.key = key?.name
      subjects.append(Subject(plan: plan, group: group, key: key))
    }
  }

  /// Decides on all properties.
  func run() throws {
    for subject in subjects {
      let count = subject.group.members.count
      subject.plan.choices.append(
        Choice(
          entity: subject.plan.name, type: "entity", records: count,
          reason: "from \(subject.group.sources.joined(separator: ", "))"))
      try planFields(of: subject.group.members, in: subject.plan, as: subject)
    }
    links.finish()
  }

  /// The field by which records are referred to: one named like a key whose values come once each.
  private static func key(of group: RecordSurvey.Group) -> FieldSurvey? {
    let count = group.members.count
    let candidates = group.members.fields.filter { field in
      (field.isKeyCandidate || (field.name == "objectID" && field.isAll(.reference)))
        && count > 0 && field.values == count && field.repetition == nil
        && field.classes.isDisjoint(with: [.list, .object, .data, .boolean])
    }
    return candidates.first { $0.isAll(.reference) } ?? candidates.first { KeyNames.isPlainKey($0.name) }
      ?? candidates.first
  }

  // MARK: Fields

  /// What becomes of a field, before it has a name.
  private enum Decision {
    case omitted
    case attribute(TypeChoice)
    case composite(ObjectSurvey)
    case reference(PlannedEntity, isList: Bool, reason: String)
    case nested(ObjectSurvey, isList: Bool)

    var isRelationship: Bool {
      switch self {
      case .reference, .nested: true
      case .omitted, .attribute, .composite: false
      }
    }
  }

  private func planFields(of members: ObjectSurvey, in plan: PlannedEntity, as subject: Subject?) throws {
    var decisions: [(field: FieldSurvey, decision: Decision, remarks: [String])] = []
    for field in members.fields {
      var remarks: [String] = []
      let decision = try decide(field, in: plan, subject, &remarks)
      decisions.append((field, decision, remarks))
    }
    // Attributes keep their names; relationships, whose names are made, give way.
    for isRelationship in [false, true] {
      for (place, entry) in decisions.enumerated() where entry.decision.isRelationship == isRelationship {
        try carryOut(
          entry.field, entry.decision, entry.remarks, place: place + 1, count: members.count, in: plan,
          subject)
      }
    }
    addConstraints(to: plan, members, subject)
  }

  private func decide(
    _ field: FieldSurvey, in plan: PlannedEntity, _ subject: Subject?, _ remarks: inout [String]
  ) throws -> Decision {
    if let subject, subject.key === field, field.isAll(.reference) { return .omitted }
    if let subject, subject.group.namesEntity, field.name == "entity" { return .omitted }
    if subject?.key !== field, let found = try reference(field, in: plan, isList: false, &remarks) {
      return found
    }
    if field.isAll(.list) {
      guard let element = field.element else { return .attribute(TypeChoice(of: field)) }
      if !element.holdsNulls, let found = try reference(element, in: plan, isList: true, &remarks) {
        return found
      }
      if element.isAll(.object), !element.holdsNulls, let members = element.members, members.isRegular {
        return .nested(members, isList: true)
      }
    }
    guard field.isAll(.object), let members = field.members, members.isRegular else {
      return .attribute(TypeChoice(of: field))
    }
    return members.identifyingKey == nil && members.isPlain
      ? .composite(members) : .nested(members, isList: false)
  }

  private func reference(
    _ field: FieldSurvey, in plan: PlannedEntity, isList: Bool, _ remarks: inout [String]
  ) throws -> Decision? {
    let search = ReferenceSearch(subjects: subjects, kept: kept)
    guard let found = try search.target(of: field, in: plan, remarks: &remarks) else { return nil }
    return .reference(found.entity, isList: isList, reason: found.reason)
  }

  private func carryOut(
    _ field: FieldSurvey, _ decision: Decision, _ remarks: [String], place: Int, count: Int,
    in plan: PlannedEntity, _ subject: Subject?
  ) throws {
    let isOptional = field.values < max(count, 1)
    func choice(_ property: String, _ type: String, _ reason: String, _ more: [String] = []) -> Choice {
      Choice(
        entity: plan.name, property: property, field: field.name, type: type, isOptional: isOptional,
        values: field.values, records: count, reason: reason, remarks: more + remarks)
    }
    switch decision {
    case .omitted:
      plan.fields.append(PlannedField(field: field.name, property: "", content: .omitted))
      var told = choice(
        field.name, "left out",
        field.isAll(.reference) ? "the id of the object itself" : "the name of the entity")
      told.isOptional = nil
      plan.choices.append(told)
    case .attribute(let type):
      let name = plan.names.name(for: field.name, place: place)
      let attribute = AttributeDefinition(name, type.type, isOptional: isOptional)
      plan.attributes.append(attribute)
      plan.fields.append(PlannedField(field: field.name, property: name, content: .attribute(attribute)))
      plan.choices.append(choice(name, type.type.rawValue, type.reason, type.remarks))
    case .composite(let members):
      let name = plan.names.name(for: field.name, place: place)
      let isVoid = isOptional || field.voidObjects > 0
      let (attribute, elements) = Self.composite(name, members, isOptional: isVoid)
      plan.attributes.append(attribute)
      plan.fields.append(
        PlannedField(field: field.name, property: name, content: .composite(attribute, elements: elements)))
      let words = attribute.elements.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
      var told = choice(name, "composite", "objects without a key of their own: \(words)")
      told.isOptional = isVoid
      plan.choices.append(told)
    case .reference(let target, let isList, let reason):
      let name = plan.names.name(forRelationship: Self.relationshipName(of: field, isList: isList))
      plan.fields.append(PlannedField(field: field.name, property: name, content: .reference(isList: isList)))
      links.add(
        PlannedLinks.Link(
          owner: plan, name: name, target: target, isToMany: isList, isOrdered: isList,
          isOptional: isList || isOptional, hasManySources: true,
          deleteRule: .nullify, inverseDeleteRule: isList || isOptional ? .nullify : .deny,
          choice: choice(name, "", reason)))
    case .nested(let members, let isList):
      try planNested(field, members, isList, place: place, in: plan, choice: choice("", "", ""))
    }
  }

  /// The name of a relationship that a field becomes.
  private static func relationshipName(of field: FieldSurvey, isList: Bool) -> String {
    guard let stem = KeyNames.stem(ofReference: field.name), let last = stem.last else {
      return PropertyNames.isIdentifier(field.name)
        ? field.name : Words.camelCased(Words.words(of: field.name))
    }
    return Words.camelCased(isList ? stem.dropLast() + [Plurals.plural(last)] : stem)
  }

  // MARK: Objects within records

  private func planNested(
    _ field: FieldSurvey, _ members: ObjectSurvey, _ isList: Bool, place: Int, in plan: PlannedEntity,
    choice: Choice
  ) throws {
    let taken = Set(plans.map(\.name))
    let base = EntityNames.name(from: field.name) ?? "Part"
    let nested = PlannedEntity(
      EntityNames.unique(taken.contains(base) ? plan.name + base : base, among: taken))
    plans.append(nested)
    let key = members.identifyingKey
    nested.key = key
    let name = plan.names.name(for: field.name, place: place)
    var choice = choice
    choice.property = name
    let isShared = key != nil && (!isList || members.identity?.isShared == true)
    let what = isList ? "lists of objects" : "objects"
    if let key {
      choice.reason = "\(what) with a key of their own, \(key)"
    } else if isList {
      choice.reason = "lists of objects, in their order, that belong to one \(plan.name) each"
    } else {
      choice.reason = "objects that hold lists of objects or keyed ones, and so are no composite attribute"
    }
    if members.identity?.isLocal == true {
      choice.remarks.append(
        "objects of the same \(members.identity?.key ?? "key") differ, so that it identifies none")
    }
    plan.fields.append(
      PlannedField(field: field.name, property: name, content: .nested(nested, isList: isList)))
    links.add(
      PlannedLinks.Link(
        owner: plan, name: name, target: nested, isToMany: isList, isOrdered: isList,
        isOptional: isList || choice.isOptional != false, hasManySources: isShared,
        isInverseOptional: key != nil, deleteRule: key == nil ? .cascade : .nullify,
        inverseDeleteRule: isShared && choice.isOptional == false && !isList ? .deny : .nullify,
        choice: choice))
    nested.choices.append(
      Choice(
        entity: nested.name, type: "entity", records: members.count,
        reason: "from \(plan.name).\(field.name), which holds objects"))
    try planFields(of: members, in: nested, as: nil)
  }

  /// A composite attribute of objects whose members are plain.
  private static func composite(
    _ name: String, _ members: ObjectSurvey, isOptional: Bool
  ) -> (AttributeDefinition, [PlannedField]) {
    var names = PropertyNames()
    var elements: [AttributeDefinition] = []
    var fields: [PlannedField] = []
    for (place, field) in members.fields.enumerated() {
      let element = names.name(for: field.name, place: place + 1)
      let isMissing = isOptional || field.values - field.voidObjects < members.count
      if field.isAll(.object), let inner = field.members, inner.isRegular {
        let (attribute, parts) = composite(element, inner, isOptional: isMissing)
        elements.append(attribute)
        fields.append(
          PlannedField(field: field.name, property: element, content: .composite(attribute, elements: parts)))
      } else {
        let attribute = AttributeDefinition(element, TypeChoice(of: field).type, isOptional: isMissing)
        elements.append(attribute)
        fields.append(PlannedField(field: field.name, property: element, content: .attribute(attribute)))
      }
    }
    return (AttributeDefinition(name, .composite, isOptional: isOptional, elements: elements), fields)
  }

  // MARK: Keys

  /// Fields named like keys whose values come once each, and are there in every record, are unique.
  private func addConstraints(to plan: PlannedEntity, _ members: ObjectSurvey, _ subject: Subject?) {
    for field in plan.fields {
      guard case .attribute(let attribute) = field.content, let survey = members.field(named: field.field),
        survey.isKeyCandidate,
        let choice = plan.choices.lastIndex(where: { $0.property == attribute.name })
      else { continue }
      let isUnique =
        subject == nil
        ? plan.key == field.field
        : survey.repetition == nil && survey.values == members.count && members.count > 0
      if isUnique, ![.transformable, .binary].contains(attribute.type) {
        plan.uniquenessConstraints.append([attribute.name])
        plan.choices[choice].reason += "; unique, as a key is"
      } else if let repetition = survey.repetition, subject != nil {
        plan.choices[choice].remarks.append("not unique: \(repetition) comes more than once")
      }
    }
  }
}

extension ObjectSurvey {
  /// Whether the names of the members are those of properties, and not data.
  var isRegular: Bool { !isOpen && !fields.isEmpty }

  /// Whether the members can be elements of a composite attribute.
  var isPlain: Bool {
    guard isRegular, depth <= 6 else { return false }
    return fields.allSatisfy { field in
      if field.classes.contains(.object) {
        return field.isAll(.object) && field.members.map { $0.identifyingKey == nil && $0.isPlain } == true
      }
      return field.element.map { !$0.classes.contains(.object) } ?? true
    }
  }
}
