import Testing

@testable import GraphStore

/// Fetched properties on objects: what they find, how long they keep it, and what they cannot do.
@Suite("Fetched properties", .everyStore)
struct FetchedPropertyTests {
  private static let model = ModelDefinition(
    name: "Authors",
    entities: [
      EntityDefinition(
        "Search",
        attributes: [AttributeDefinition("searchTerm", .string), AttributeDefinition("limit", .int64)],
        relationships: [
          RelationshipDefinition("university", to: "University", inverse: "searches")
        ],
        fetchedProperties: [
          FetchedPropertyDefinition(
            "authors", entity: "Author",
            predicate: """
              university.name LIKE[c] $FETCH_SOURCE.searchTerm AND \
              favouriteColour LIKE[c] $FETCHED_PROPERTY.userInfo.color
              """, sort: ["name"], userInfo: ["color": .string("Green")]),
          FetchedPropertyDefinition("everybody", entity: "Author", sort: ["-name"], limit: 2),
          FetchedPropertyDefinition(
            "colleagues", entity: "Author", predicate: "university == $FETCH_SOURCE.university",
            sort: ["name"]),
          FetchedPropertyDefinition(
            "rivals", entity: "Search",
            predicate: "searchTerm == $FETCH_SOURCE.searchTerm AND SELF != $FETCH_SOURCE"),
          FetchedPropertyDefinition(
            "named", entity: "Author", predicate: "name == $FETCHED_PROPERTY.name"),
          FetchedPropertyDefinition(
            "colourless", entity: "Author",
            predicate: "favouriteColour == $FETCHED_PROPERTY.userInfo.missing",
            sort: ["name"]),
          FetchedPropertyDefinition("broken", entity: "Author", predicate: "name == $FETCH_SOURCE.nothing"),
        ]),
      EntityDefinition(
        "University", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("searches", to: "Search", inverse: "university", isToMany: true),
          RelationshipDefinition("authors", to: "Author", inverse: "university", isToMany: true),
        ]),
      EntityDefinition(
        "Author",
        attributes: [AttributeDefinition("name", .string), AttributeDefinition("favouriteColour", .string)],
        relationships: [RelationshipDefinition("university", to: "University", inverse: "authors")]),
    ])

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(Self.model)
    for (university, authors) in [
      ("Cambridge", [("Ann", "green"), ("Bea", "red"), ("Cid", "Green")]), ("Durham", [("Dot", "GREEN")]),
    ] {
      let place = try stack.context.insert("University", ["name": university])
      for (name, colour) in authors {
        try stack.context.insert(
          "Author", ["name": name, "favouriteColour": colour, "university": place])
      }
    }
    try stack.context.insert("Author", ["name": "named"])
    try stack.context.insert("Search", ["searchTerm": "Cambridge"])
    try stack.context.save()
  }

  private func search() throws -> ManagedObject { try context.all("Search", sort: ["objectID"])[0] }

  private func names(_ owner: ManagedObject, _ key: String = "authors") throws -> [String?] {
    try owner.fetchedObjects(forKey: key).map { try $0.string("name") }
  }

  @Test(
    "PRD-155, PRD-156, REL-349, REL-350, REL-351: the owner's term and the description's colour choose the authors"
  )
  func workedExample() throws {
    let search = try search()
    #expect(try names(search) == ["Ann", "Cid"])
    try search.setValue("Durham", forKey: "searchTerm")
    #expect(try names(search) == ["Ann", "Cid"])
    try context.refresh(search, mergeChanges: true)
    #expect(try names(search) == ["Dot"])
    try context.save()
    search.dropFetchedProperties()
    #expect(try names(search) == ["Dot"])
    #expect(try names(search, "named") == ["named"])
  }

  @Test(
    "MDL-221, MDL-222, REL-345: without predicate all objects of the destination come, in order and within the limit"
  )
  func ordered() throws {
    #expect(try names(search(), "everybody") == ["named", "Dot"])
    let value = try search().value(forKey: "everybody") as? [ManagedObject]
    #expect(try value?.map { try $0.string("name") } == ["named", "Dot"])
  }

  @Test(
    "REL-346, REL-361: the first read fetches once; later ones give the same array, each owner its own",
    .needs(.statements))
  func kept() throws {
    let owner = try search()
    let other = try context.insert("Search", ["searchTerm": "Cambridge"])
    _ = try owner.string("searchTerm")
    #expect(try stack.statements { _ = try names(owner) } == 1)
    try context.insert("Author", ["name": "Abe", "favouriteColour": "green"])
      .setValue(context.all("University", "name == 'Cambridge'")[0], forKey: "university")
    #expect(try stack.statements { try check(try names(owner) == ["Ann", "Cid"]) } == 0)
    #expect(try names(other) == ["Abe", "Ann", "Cid"])
    try context.save()
    #expect(try stack.statements { try check(try names(owner) == ["Ann", "Cid"]) } == 0)
    #expect(try stack.statements { _ = try names(owner, "everybody") } == 1)
  }

  @Test("REL-347, FLT-051: refreshing, faulting, rollback, reset and dropping let go of what is kept")
  func dropped() throws {
    let owner = try search()
    let author = try context.all("Author", "name == 'Ann'")[0]
    func expectAnew(_ step: () throws -> Void) throws {
      try author.setValue("green", forKey: "favouriteColour")
      #expect(try names(owner) == ["Ann", "Cid"])
      try author.setValue("blue", forKey: "favouriteColour")
      #expect(try names(owner) == ["Ann", "Cid"])
      try step()
    }
    for mergesChanges in [true, false] {
      try expectAnew { try context.refresh(owner, mergeChanges: mergesChanges) }
      #expect(try names(owner) == ["Cid"])
      owner.dropFetchedProperties()
    }
    try owner.setValue("CAMBRIDGE", forKey: "searchTerm")
    for mergesChanges in [true, false] {
      try expectAnew { try context.refresh(owner, mergeChanges: mergesChanges) }
      #expect(try names(owner) == ["Cid"])
      owner.dropFetchedProperties()
    }
    try expectAnew { owner.dropFetchedProperties() }
    #expect(try names(owner) == ["Cid"])
    try context.save()
    owner.dropFetchedProperties()
    #expect(try names(owner) == ["Cid"])
    let other = stack.newContext()
    try other.all("Author", "name == 'Ann'")[0].setValue("green", forKey: "favouriteColour")
    try other.save()
    #expect(try names(owner) == ["Cid"])
    context.rollback()
    #expect(try names(owner) == ["Ann", "Cid"])
    context.reset()
    #expect(throws: GraphStoreError.self) { try owner.fetchedObjects(forKey: "authors") }
    #expect(try names(search()) == ["Ann", "Cid"])
  }

  @Test("REL-347: an owner that was never saved lets go of what is kept too")
  func unsavedOwner() throws {
    let owner = try context.insert("Search", ["searchTerm": "Durham"])
    #expect(try names(owner) == ["Dot"])
    try owner.setValue("Cambridge", forKey: "searchTerm")
    #expect(try names(owner) == ["Dot"])
    owner.dropFetchedProperties()
    #expect(try names(owner) == ["Ann", "Cid"])
    #expect(try owner.fetchedObjects(forKey: "rivals") == [search()])
  }

  @Test("REL-348: an object that is deleted later stays in the array")
  func deletedMember() throws {
    let owner = try search()
    let found = try owner.fetchedObjects(forKey: "authors")
    try context.delete(found[0])
    #expect(try owner.fetchedObjects(forKey: "authors") == found)
    #expect(found[0].isDeleted)
    try context.save()
    #expect(try owner.fetchedObjects(forKey: "authors") == found)
    owner.dropFetchedProperties()
    #expect(try owner.fetchedObjects(forKey: "authors") == [found[1]])
  }

  @Test(
    "MDL-224, REL-352: values are bound, and change neither structure nor operator",
    arguments: [
      "' OR TRUEPREDICATE", "\" OR 1 == 1 OR \"", "%", "$FETCH_SOURCE", "Cam*", "C?mbridge", "x) OR (1=1",
    ])
  func bound(term: String) throws {
    let owner = try search()
    try owner.setValue(term, forKey: "searchTerm")
    // LIKE has wildcards, and nothing else of a value has a meaning.
    let matches = term == "Cam*" || term == "C?mbridge"
    #expect(try names(owner) == (matches ? ["Ann", "Cid"] : []))
    #expect(try owner.fetchedObjects(forKey: "rivals").isEmpty)
  }

  @Test("REL-349, REL-353: paths go on from the owner; a missing value follows the rules of fetches")
  func missingValues() throws {
    let owner = try search()
    #expect(try names(owner, "colleagues") == ["named"])
    try owner.setValue(context.all("University", "name == 'Durham'")[0], forKey: "university")
    owner.dropFetchedProperties()
    #expect(try names(owner, "colleagues") == ["Dot"])
    #expect(try names(owner, "colourless") == ["named"])
    try owner.setValue(nil, forKey: "searchTerm")
    owner.dropFetchedProperties()
    #expect(try names(owner) == [])
  }

  @Test("REL-354, REL-355: unsaved changes count, and registered objects come as they are")
  func unsavedChanges() throws {
    let ann = try context.all("Author", "name == 'Ann'")[0]
    try ann.setValue("Zoe", forKey: "name")
    try context.delete(context.all("Author", "name == 'Dot'")[0])
    let owner = try search()
    #expect(try names(owner) == ["Cid", "Zoe"])
    #expect(try owner.fetchedObjects(forKey: "authors")[1] === ann)
    #expect(try names(owner, "everybody") == ["named", "Zoe"])
  }

  @Test("REL-356: it takes no value and has no proxy")
  func readOnly() throws {
    let owner = try search()
    let author = try context.all("Author")[0]
    for value in [[author], nil] as [Any?] {
      let error = #expect(throws: GraphStoreError.self) { try owner.setValue(value, forKey: "authors") }
      #expect(error?.code == .readOnlyProperty)
      #expect(error?.property == "authors")
    }
    #expect(throws: GraphStoreError.self) { try owner.setValues(forKeys: ["authors": [author]]) }
    for body in [
      { _ = try owner.mutableSetValue(forKey: "authors") },
      { _ = try owner.mutableOrderedSetValue(forKey: "authors") },
    ] as [() throws -> Void] {
      let error = #expect(throws: GraphStoreError.self) { try body() }
      #expect(error?.code == .wrongPropertyKind)
    }
    let other = #expect(throws: GraphStoreError.self) { try owner.fetchedObjects(forKey: "searchTerm") }
    #expect(other?.code == .wrongPropertyKind)
  }

  @Test("REL-357: reading it changes nothing")
  func clean() throws {
    let owner = try search()
    _ = try names(owner)
    #expect(!owner.hasChanges)
    #expect(!context.hasChanges)
    #expect(try owner.changedValues().isEmpty)
    #expect(try owner.committedValues(forKeys: nil)["authors"] == nil)
    try owner.validateForUpdate()
  }

  @Test("REL-359: where it fails, the error is thrown and nothing is kept")
  func failing() throws {
    let owner = try search()
    for _ in 0..<2 {
      let error = #expect(throws: QueryPredicateError.self) { try owner.fetchedObjects(forKey: "broken") }
      #expect(error?.code == .unknownKey)
    }
    #expect(owner.extra?.fetched.isEmpty != false)
  }

  @Test("REL-360, MDL-227: key paths and predicates in memory go through it, those of fetches do not")
  func keyPaths() throws {
    let owner = try search()
    #expect(try owner.value(forKeyPath: "authors.@count") as? Int == 2)
    #expect(try owner.value(forKeyPath: "authors.name") as? [String?] == ["Ann", "Cid"])
    #expect(try QueryPredicate(parsing: "ANY authors.name == 'Cid'").evaluate(with: owner))
    #expect(
      try QueryPredicate(parsing: "authors.@count == 2 AND NOT authors.@count > 2").evaluate(with: owner))
    #expect(throws: QueryPredicateError.self) { try context.all("Search", "authors.@count == 2") }
    #expect(throws: QueryPredicateError.self) { try context.all("Search", sort: ["authors.@count"]) }
    var values: [ManagedObjectID] = []
    try context.enumerateFields(FetchRequest(entityName: "Search"), keyPaths: ["authors", "authors.name"]) {
      row in
      values.append(row.objectID)
    }
    #expect(values == [owner.objectID])
  }

  @Test("MDL-225, REL-354: it leads to objects of another configuration, in another store", .needs(.files))
  func severalStores() throws {
    let model = ModelDefinition(
      entities: [
        EntityDefinition(
          "Search", attributes: [AttributeDefinition("term", .string)],
          fetchedProperties: [
            FetchedPropertyDefinition(
              "found", entity: "Author", predicate: "name BEGINSWITH $FETCH_SOURCE.term", sort: ["name"])
          ]),
        EntityDefinition("Author", attributes: [AttributeDefinition("name", .string)]),
      ],
      configurations: [
        ConfigurationDefinition("Searches", entities: ["Search"]),
        ConfigurationDefinition("Authors", entities: ["Author"]),
      ])
    let stores = try SeveralStores(model, ["Searches", "Authors"])
    try stores.insert("Search", ["term": "A"])
    for name in ["Ann", "Bea", "Abe"] { try stores.insert("Author", ["name": name]) }
    try stores.context.save()
    let context = stores.newContext()
    let search = try context.all("Search")[0]
    #expect(try search.fetchedObjects(forKey: "found").map { try $0.string("name") } == ["Abe", "Ann"])
    #expect(try stores.names("Author", in: 0) == [] && stores.names("Author", in: 1).count == 3)
  }
}
