extension XcodeModelConverter {
  /// Position of a relationship.
  private struct Place: Hashable, Comparable {
    var entity: Int
    var relationship: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.entity, left.relationship) < (right.entity, right.relationship)
    }
  }

  /// Looks for the entity that declares each inverse, which may be a parent of the destination, and drops
  /// inverses that do not lead back.
  mutating func resolveInverses() {
    let entities = definition.entities.enumerated().map { ($1.name, $0) }
    let positions = Dictionary(entities, uniquingKeysWith: { first, _ in first })
    var places: [Int: [String: Place]] = [:]
    for (number, entity) in definition.entities.enumerated() {
      let own = entity.relationships.enumerated().map { ($1.name, Place(entity: number, relationship: $0)) }
      places[number] = Dictionary(own, uniquingKeysWith: { first, _ in first })
    }
    var inverses: [Place: Place] = [:]
    for (number, entity) in definition.entities.enumerated() {
      for (step, relationship) in entity.relationships.enumerated() {
        let place = Place(entity: number, relationship: step)
        guard let name = relationship.inverse, let destination = positions[relationship.destination] else {
          dropInverseEntity(place)
          continue
        }
        let line = ancestry(of: destination, positions)
        if let owner = line.first(where: { places[$0]?[name] != nil }), let inverse = places[owner]?[name] {
          inverses[place] = inverse
          setInverseEntity(of: place, owner: owner, destination: destination)
        } else {
          drop(place, "no relationship \"\(name)\" of \(relationship.destination) or its parents is there")
        }
      }
    }
    for (place, inverse) in inverses.sorted(by: { $0.key < $1.key }) {
      check(place, inverse: inverse, inverses: inverses, positions: positions)
    }
  }

  private subscript(place: Place) -> RelationshipDefinition {
    get { definition.entities[place.entity].relationships[place.relationship] }
    set { definition.entities[place.entity].relationships[place.relationship] = newValue }
  }

  /// An entity and its ancestors, nearest first.
  private func ancestry(of entity: Int, _ positions: [String: Int]) -> [Int] {
    var line = [entity]
    var seen: Set<Int> = [entity]
    while line.count <= ModelValidator.maximumLevels, let last = line.last,
      let parent = definition.entities[last].parent.flatMap({ positions[$0] }), seen.insert(parent).inserted
    {
      line.append(parent)
    }
    return line
  }

  /// Keeps `inverseEntity` where it says more than the destination does.
  private mutating func setInverseEntity(of place: Place, owner: Int, destination: Int) {
    let name = definition.entities[owner].name
    if owner == destination {
      if self[place].xcode["inverseEntity"] == .string(name) { self[place].xcode["inverseEntity"] = nil }
    } else {
      self[place].xcode["inverseEntity"] = .string(name)
    }
  }

  private mutating func dropInverseEntity(_ place: Place) {
    guard let text = self[place].xcode.removeValue(forKey: "inverseEntity") else { return }
    keepDropped(text, name: "inverseEntity", at: place)
  }

  /// Checks that two relationships lead to each other; of an inverse that names nothing the one here is
  /// taken.
  private mutating func check(
    _ place: Place, inverse: Place, inverses: [Place: Place], positions: [String: Int]
  ) {
    guard self[place].inverse != nil else { return }
    guard let back = inverses[inverse] else {
      guard let target = positions[self[inverse].destination],
        ancestry(of: target, positions).contains(place.entity), self[inverse].inverse == nil,
        self[inverse].xcode[XcodeKey.dropped] == nil
      else { return drop(place, "that one has no inverse") }
      self[inverse].inverse = self[place].name
      setInverseEntity(of: inverse, owner: place.entity, destination: target)
      record(inverse, "The inverse of \(title(inverse)) is read as \(title(place)), which names it.")
      return
    }
    if back != place { drop(place, "its inverse is \(title(back))") }
  }

  private func title(_ place: Place) -> String {
    "\(definition.entities[place.entity].name).\(self[place].name)"
  }

  private func path(_ place: Place) -> ModelPath {
    ModelPath().item("entities", place.entity).item("relationships", place.relationship).key("inverse")
  }

  private mutating func record(_ place: Place, _ message: String, rule: String = "foreign-mended") {
    record(
      rule, at: path(place), offset: relationshipOffsets[place.entity][place.relationship], message: message)
  }

  private mutating func drop(_ place: Place, _ reason: String) {
    record(
      place,
      "\(self[place].inverse ?? "") cannot be the inverse of \(title(place)), because \(reason); it is left out.",
      rule: "foreign-dropped")
    keepDropped(.string(self[place].inverse ?? ""), name: "inverseName", at: place)
    self[place].inverse = nil
    dropInverseEntity(place)
  }

  private mutating func keepDropped(_ text: JSONValue, name: String, at place: Place) {
    var members: [String: JSONValue] = [:]
    if case .object(let known)? = self[place].xcode[XcodeKey.dropped] { members = known }
    members[name] = text
    self[place].xcode[XcodeKey.dropped] = .object(members)
  }
}
