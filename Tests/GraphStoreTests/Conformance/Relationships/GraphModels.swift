import GraphStore

/// Graphs that the tests of relationships, deletions and faults share (REL-375 to REL-380).
enum GraphModels {
  /// People and cities, related in five ways of which none knows of the others, and capitals, which are
  /// cities.
  static func city(isOrdered: Bool = false, residents: DeleteRule = .nullify) -> ModelDefinition {
    ModelDefinition(
      name: "City",
      entities: [
        EntityDefinition(
          "Person", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("homeTown", to: "City", inverse: "residents"),
            RelationshipDefinition("citizenOf", to: "City", inverse: "citizens"),
            RelationshipDefinition("mayorOf", to: "City", inverse: "mayor"),
            RelationshipDefinition("citiesVisited", to: "City", inverse: "visitors", isToMany: true),
            RelationshipDefinition("birthplace", to: "City"),
          ]),
        EntityDefinition(
          "City", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition(
              "residents", to: "Person", inverse: "homeTown", isToMany: true, isOrdered: isOrdered,
              deleteRule: residents),
            RelationshipDefinition("citizens", to: "Person", inverse: "citizenOf", isToMany: true),
            RelationshipDefinition("mayor", to: "Person", inverse: "mayorOf"),
            RelationshipDefinition(
              "visitors", to: "Person", inverse: "citiesVisited", isToMany: true, isOrdered: isOrdered),
          ]),
        EntityDefinition("Capital", parent: "City"),
      ])
  }

  /// People whose friendships are objects of their own.
  static let friends = ModelDefinition(
    name: "Friends",
    entities: [
      EntityDefinition(
        "Person", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition(
            "friends", to: "FriendInfo", inverse: "source", isToMany: true, deleteRule: .cascade),
          RelationshipDefinition(
            "befriendedBy", to: "FriendInfo", inverse: "friend", isToMany: true, deleteRule: .cascade),
        ]),
      EntityDefinition(
        "FriendInfo", attributes: [AttributeDefinition("rank", .int16)],
        relationships: [
          RelationshipDefinition("source", to: "Person", inverse: "friends", isOptional: false),
          RelationshipDefinition("friend", to: "Person", inverse: "befriendedBy", isOptional: false),
        ]),
    ])

  /// Departments that take their employees with them, and employees who may not go while somebody reports to
  /// them.
  static let company = ModelDefinition(
    name: "ProtectedCompany",
    entities: [
      EntityDefinition(
        "Department", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition(
            "employees", to: "Employee", inverse: "department", isToMany: true, deleteRule: .cascade)
        ]),
      EntityDefinition(
        "Employee", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("department", to: "Department", inverse: "employees"),
          RelationshipDefinition("manager", to: "Employee", inverse: "reports"),
          RelationshipDefinition(
            "reports", to: "Employee", inverse: "manager", isToMany: true, deleteRule: .deny),
          RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true),
        ]),
      EntityDefinition(
        "Project", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition(
            "members", to: "Employee", inverse: "projects", isToMany: true, isOrdered: true)
        ]),
    ])

  /// Continents, countries and moods, each protected by what is in it; classes may clean up behind the last
  /// one.
  static let regions = ModelDefinition(
    name: "Regions",
    entities: [
      EntityDefinition(
        "Continent", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition(
            "countries", to: "Country", inverse: "continent", isToMany: true, deleteRule: .deny)
        ]),
      EntityDefinition(
        "Country", className: "RegionCountry", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("continent", to: "Continent", inverse: "countries"),
          RelationshipDefinition("moods", to: "Mood", inverse: "country", isToMany: true, deleteRule: .deny),
        ]),
      EntityDefinition(
        "Mood", className: "RegionMood", attributes: [AttributeDefinition("name", .string)],
        relationships: [RelationshipDefinition("country", to: "Country", inverse: "moods")]),
    ])

  /// The classes of ``regions``.
  static var regionClasses: [String: ManagedObject.Type] {
    ["RegionCountry": RegionCountry.self, "RegionMood": RegionMood.self]
  }

  /// A tree within one entity; children may be ordered.
  static func tree(_ rule: DeleteRule = .nullify, isOrdered: Bool = false) -> ModelDefinition {
    ModelDefinition(
      name: "Tree",
      entities: [
        EntityDefinition(
          "Node", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("parent", to: "Node", inverse: "children"),
            RelationshipDefinition(
              "children", to: "Node", inverse: "parent", isToMany: true, isOrdered: isOrdered,
              deleteRule: rule),
          ])
      ])
  }
}

/// A country that takes its continent with it when it is the last one.
final class RegionCountry: ManagedObject {
  override func prepareForDeletion() { deleteOwner("continent", unlessAnyLives: "countries") }
}

/// A mood that takes its country with it when it is the last one.
final class RegionMood: ManagedObject {
  override func prepareForDeletion() { deleteOwner("country", unlessAnyLives: "moods") }
}

extension ManagedObject {
  fileprivate func deleteOwner(_ key: String, unlessAnyLives members: String) {
    guard let owner = try? object(forKey: key), let all = try? owner.objects(forKey: members),
      all.allSatisfy(\.isDeleted)
    else { return }
    try? managedObjectContext?.delete(owner)
  }

  /// The name of the object at the other end of a to-one.
  func nameOf(_ key: String) throws -> String? { try object(forKey: key)?.string("name") }
}
