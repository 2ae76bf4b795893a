import GraphStoreModel
import Testing

@testable import GraphStore

@Suite struct SQLSchemaTests {
  private func model(_ entities: EntityDefinition...) throws -> ManagedObjectModel {
    try ManagedObjectModel(ModelDefinition(entities: entities))
  }

  private func entity(_ schema: SQLSchema, _ name: String) throws -> SQLEntity {
    schema.entity(try schema.model.entity(named: name))
  }

  private func names(_ columns: [SQLColumn]) -> [String] { columns.map(\.name) }

  @Test("STO-227: entities are numbered depth first, by name without regard to case")
  func numbers() throws {
    let schema = SQLSchema(model: try LayoutModels.company())
    #expect(
      schema.entitiesInOrder.map { "\($0.number) \($0.entity.name)" } == [
        "1 Department", "2 Passport", "3 Person", "4 Contractor", "5 Employee", "6 Manager", "7 Project",
      ])
    #expect(schema.entity(numbered: 6)?.entity.name == "Manager")
    #expect(schema.entity(numbered: 0) == nil)
    #expect(schema.entity(numbered: 8) == nil)
    let mixed = SQLSchema(
      model: try model(EntityDefinition("SyncFeatureEntity"), EntityDefinition("SyncableSettingsMetadata")))
    #expect(mixed.entitiesInOrder.map(\.entity.name) == ["SyncableSettingsMetadata", "SyncFeatureEntity"])
  }

  @Test("STO-250: families, and which tables are shared")
  func families() throws {
    let schema = SQLSchema(model: try LayoutModels.company())
    #expect(try entity(schema, "Person").familyNumbers == [3, 4, 5, 6])
    #expect(try entity(schema, "Employee").familyNumbers == [5, 6])
    #expect(try entity(schema, "Manager").familyNumbers == [6])
    #expect(try entity(schema, "Manager").sharesTable)
    #expect(try entity(schema, "Person").sharesTable)
    #expect(try !entity(schema, "Project").sharesTable)
    #expect(try entity(schema, "Manager").table === entity(schema, "Person").table)
    #expect(try entity(schema, "Manager").table.root.entity.name == "Person")
  }

  @Test("Columns of an entity are its own, its ancestors', and its descendants' if asked, in table order")
  func columns() throws {
    let schema = SQLSchema(model: try LayoutModels.company())
    let contractor = try entity(schema, "Contractor")
    let expected = [
      "ZACTIVE", "ZPASSPORT", "ZDEPARTMENT", "ZBIRTHDAY", "ZRATE", "ZSALARY", "ZEMAIL", "ZNAME", "ZNOTE",
      "ZTAGS",
      "ZPHOTO",
    ]
    #expect(names(contractor.columns(includingSubentities: false)) == expected)
    #expect(names(contractor.columns(includingSubentities: true)) == expected)
    let employee = try entity(schema, "Employee")
    #expect(!names(employee.columns(includingSubentities: false)).contains("ZHEADS"))
    #expect(names(employee.columns(includingSubentities: true)).contains("ZHEADS"))
    let person = try entity(schema, "Person")
    #expect(
      names(person.columns(includingSubentities: true))
        == names(person.table.columns.filter { !$0.isOfOwner }))
    for (index, column) in person.table.columns.enumerated() {
      #expect(column.index == index)
      #expect(column.table === person.table)
      #expect(person.table.column(named: column.name) === column)
    }
  }

  @Test("STO-232, STO-237, STO-258: where each property lies")
  func storage() throws {
    let schema = SQLSchema(model: try LayoutModels.company())
    func text(_ entityName: String, _ property: String) throws -> String {
      let entity = try entity(schema, entityName)
      let property = try #require(entity.entity.property(named: property))
      switch entity.storage[property.number] {
      case .none: return "none"
      case .attribute(let column): return "\(column.name):\(column.kind)"
      case .toOne(let key, let tag, let order):
        return [key.name, tag?.name ?? "-", order?.name ?? "-"].joined(separator: " ")
      case .toManyInverse(let key, let order): return "\(key.table.name).\(key.name) \(order?.name ?? "-")"
      case .joinTable(let table, let source, let destination, let order):
        return [table.name, source, destination, order ?? "-"].joined(separator: " ")
      }
    }
    #expect(try text("Manager", "salary") == "ZSALARY1:decimal")
    #expect(try text("Contractor", "salary") == "ZSALARY:double")
    #expect(try text("Person", "age") == "none")
    #expect(try text("Manager", "department") == "ZDEPARTMENT1 - Z_FOK_DEPARTMENT1")
    #expect(try text("Contractor", "department") == "ZDEPARTMENT - -")
    #expect(try text("Employee", "manager") == "ZMANAGER Z3_MANAGER -")
    #expect(try text("Department", "head") == "ZHEAD - -")
    #expect(try text("Department", "employees") == "ZPERSON.ZDEPARTMENT1 Z_FOK_DEPARTMENT1")
    #expect(try text("Department", "contractors") == "ZPERSON.ZDEPARTMENT -")
    #expect(try text("Manager", "reports") == "ZPERSON.ZMANAGER -")
    #expect(try text("Manager", "projects") == "Z_5PROJECTS Z_5MEMBERS Z_7PROJECTS Z_FOK_7PROJECTS")
    #expect(try text("Project", "members") == "Z_5PROJECTS Z_7PROJECTS Z_5MEMBERS Z_FOK_5MEMBERS")
    #expect(try text("Project", "blocks") == "Z_7BLOCKEDBY Z_7BLOCKEDBY Z_7BLOCKS -")
    #expect(try text("Project", "blockedBy") == "Z_7BLOCKEDBY Z_7BLOCKS Z_7BLOCKEDBY -")
    #expect(try text("Project", "watchers") == "ZPERSON.Z7WATCHERS -")
    #expect(try text("Employee", "friends") == "Z_3FRIENDS Z_3FRIENDS REFLEXIVE -")
  }

  @Test("STO-236: table and column names that the layout needs for itself get a suffix")
  func reservedNames() throws {
    let schema = SQLSchema(
      model: try model(
        EntityDefinition(
          "_METADATA", attributes: [AttributeDefinition("_pk", .int32), AttributeDefinition("_ENT", .string)]),
        EntityDefinition("_3users"),
        EntityDefinition(
          "A",
          relationships: [
            RelationshipDefinition("all", to: "A", inverse: "all", isToMany: true),
            RelationshipDefinition("users", to: "B", inverse: "of", isToMany: true),
          ]),
        EntityDefinition(
          "B", relationships: [RelationshipDefinition("of", to: "A", inverse: "users", isToMany: true)])))
    #expect(schema.tables.map(\.root.entity.name) == ["_3users", "_METADATA", "A", "B"])
    #expect(schema.tables.map(\.name) == ["Z_3USERS", "Z_METADATA1", "ZA", "ZB"])
    #expect(schema.joinTables.map(\.name) == ["Z_3ALL", "Z_3USERS1"])
    #expect(names(schema.tables[1].columns) == ["Z_PK1", "Z_ENT1"])
  }

  @Test("STO-236: one suffix serves both columns of a to-one, and a taken suffix is passed over")
  func clashes() throws {
    let to = { (name: String) in RelationshipDefinition(name, to: "Folder") }
    let schema = SQLSchema(
      model: try model(
        EntityDefinition("Folder"), EntityDefinition("Smart", parent: "Folder"),
        EntityDefinition("Item", attributes: [AttributeDefinition("text1", .string)]),
        EntityDefinition(
          "A", parent: "Item", attributes: [AttributeDefinition("text", .string)],
          relationships: [to("folder")]),
        EntityDefinition(
          "B", parent: "Item", attributes: [AttributeDefinition("text", .string)],
          relationships: [to("folder")])))
    #expect(
      names(schema.tables[1].columns) == [
        "ZFOLDER", "Z1_FOLDER", "ZFOLDER1", "Z1_FOLDER1", "ZTEXT1", "ZTEXT", "ZTEXT2",
      ])
  }

  @Test("STO-256: join columns of one name that point to one entity get a suffix")
  func joinColumnClash() throws {
    let schema = SQLSchema(
      model: try model(
        EntityDefinition(
          "A", relationships: [RelationshipDefinition("users", to: "U", inverse: "late", isToMany: true)]),
        EntityDefinition(
          "B", relationships: [RelationshipDefinition("users", to: "U", inverse: "early", isToMany: true)]),
        EntityDefinition(
          "U",
          relationships: [
            RelationshipDefinition("late", to: "A", inverse: "users", isToMany: true),
            RelationshipDefinition("early", to: "B", inverse: "users", isToMany: true),
          ])))
    #expect(
      schema.joinTables.map { [$0.name, $0.source, $0.destination] } == [
        ["Z_1USERS", "Z_1LATE", "Z_3USERS1"], ["Z_2USERS", "Z_2EARLY", "Z_3USERS"],
      ])
  }

  @Test("STO-253: a store that named the table by the other end keeps that name")
  func otherName() throws {
    let model = try LayoutModels.company()
    let numbers = Dictionary(
      uniqueKeysWithValues: SQLSchema(model: model).entities.map { ($0.entity.name, $0.number) })
    let schema = try SQLSchema(
      StoredEntities(model), entityNumbers: numbers, existingTables: ExistingTables(names: ["Z_7BLOCKS"]))
    let table = try #require(schema.joinTables.first { $0.relationship.name == "blocks" })
    #expect([table.name, table.source, table.destination] == ["Z_7BLOCKS", "Z_7BLOCKEDBY", "Z_7BLOCKS"])
  }

  @Test("STO-255: a store with a table of pairs for a to-many without inverse goes on with it")
  func pairsWithoutInverse() throws {
    let model = try LayoutModels.company()
    let numbers = Dictionary(
      uniqueKeysWithValues: SQLSchema(model: model).entities.map { ($0.entity.name, $0.number) })
    let columns = ["Z_7WATCHERS": ["Z_7WATCHERSINVERSE", "Z_3WATCHERS"]]
    let schema = try SQLSchema(
      StoredEntities(model), entityNumbers: numbers,
      existingTables: ExistingTables(names: ["Z_7WATCHERS"], pairColumns: columns))
    let table = try #require(schema.joinTables.first { $0.relationship.name == "watchers" })
    #expect(
      [table.name, table.source, table.destination] == ["Z_7WATCHERS"] + (columns["Z_7WATCHERS"] ?? []))
    #expect(schema.ownerColumns.isEmpty && schema.tables.allSatisfy { $0.column(named: "Z7WATCHERS") == nil })
  }

  @Test(
    "STO-255: owners of several entities, of ordered members and of the same entity have columns of their own"
  )
  func owners() throws {
    func to(_ name: String, isOrdered: Bool = false) -> RelationshipDefinition {
      RelationshipDefinition(name, to: "Part", isToMany: true, isOrdered: isOrdered)
    }
    let schema = SQLSchema(
      model: try model(
        EntityDefinition("Call", relationships: [to("parts", isOrdered: true), to("spare")]),
        EntityDefinition("Book", relationships: [to("parts", isOrdered: true)]),
        EntityDefinition(
          "Part", attributes: [AttributeDefinition("number", .int16)],
          relationships: [to("all"), RelationshipDefinition("book", to: "Book")]),
        EntityDefinition("Half", parent: "Part", relationships: [to("halves")])))
    let table = try #require(schema.tables.last)
    #expect(
      names(table.columns) == [
        "ZNUMBER", "ZBOOK", "Z1PARTS", "Z2PARTS", "Z2SPARE", "Z3ALL", "Z4HALVES", "Z_FOK_1PARTS",
        "Z_FOK_2PARTS",
      ])
    #expect(schema.joinTables.isEmpty)
    #expect(
      try schema.indexes().map(\.name) == [
        "ZPART_Z_ENT_INDEX", "ZPART_ZBOOK_INDEX", "ZPART_Z1PARTS_INDEX", "ZPART_Z2PARTS_INDEX",
        "ZPART_Z2SPARE_INDEX", "ZPART_Z3ALL_INDEX", "ZPART_Z4HALVES_INDEX",
      ])
  }

  @Test(
    "STO-256: the columns of a table of pairs are those that the store has, where one fits each end",
    arguments: [
      (["Z_1VOTEDBY1", "Z_3OPTIONS"], ["Z_1VOTEDBY1", "Z_3OPTIONS"]),
      (["Z_1VOTEDBY", "Z_3OPTIONS7"], ["Z_1VOTEDBY", "Z_3OPTIONS7"]),
      (["Z_1VOTEDBY1", "Z_1VOTEDBY2", "Z_3OPTIONS"], ["Z_1VOTEDBY", "Z_3OPTIONS"]),
      (["Z_1OTHER", "Z_3OPTIONS"], ["Z_1VOTEDBY", "Z_3OPTIONS"]), ([], ["Z_1VOTEDBY", "Z_3OPTIONS"]),
    ])
  func presentColumns(_ present: [String], _ expected: [String]) throws {
    func many(_ name: String, _ destination: String, _ inverse: String) -> RelationshipDefinition {
      RelationshipDefinition(name, to: destination, inverse: inverse, isToMany: true)
    }
    let model = try model(
      EntityDefinition(
        "A", relationships: [many("options", "Option", "votedBy"), many("polls", "APoll", "votedBy")]),
      EntityDefinition("APoll", relationships: [many("votedBy", "A", "polls")]),
      EntityDefinition("Option", relationships: [many("votedBy", "A", "options")]))
    let schema = try SQLSchema(
      StoredEntities(model), entityNumbers: ["A": 1, "APoll": 2, "Option": 3],
      existingTables: ExistingTables(names: ["Z_1OPTIONS"], pairColumns: ["Z_1OPTIONS": present]))
    let table = try #require(schema.joinTables.first { $0.name == "Z_1OPTIONS" })
    #expect([table.source, table.destination] == expected)
  }

  @Test("STO-281: the numbers of an existing store are taken, not computed")
  func givenNumbers() throws {
    let model = try LayoutModels.company()
    let numbers = [
      "Department": 9, "Passport": 2, "Person": 1, "Contractor": 12, "Employee": 3, "Manager": 4,
      "Project": 7,
    ]
    let schema = try SQLSchema(StoredEntities(model), entityNumbers: numbers, existingTables: .none)
    #expect(try entity(schema, "Employee").familyNumbers == [3, 4])
    #expect(schema.joinTables.map(\.name) == ["Z_1FRIENDS", "Z_3PROJECTS", "Z_7BLOCKEDBY"])
    // The sibling of the lower number is first now and goes without suffix.
    let salary = try #require(try entity(schema, "Employee").entity.property(named: "salary"))
    guard case .attribute(let column) = try entity(schema, "Employee").storage(of: salary) else {
      Issue.record("salary has no column")
      return
    }
    #expect(column.name == "ZSALARY")
    #expect {
      try SQLSchema(
        StoredEntities(model), entityNumbers: numbers.filter { $0.key != "Manager" }, existingTables: .none)
    } throws: {
      GraphStoreError.code(.storeCorrupt) ~= $0 && "\($0)".contains("Manager")
    }
  }

  @Test("A to-one that is its own inverse lies in one column")
  func spouse() throws {
    let schema = SQLSchema(
      model: try model(
        EntityDefinition("P", relationships: [RelationshipDefinition("spouse", to: "P", inverse: "spouse")])))
    #expect(names(schema.tables[0].columns) == ["ZSPOUSE"])
    #expect(schema.joinTables.isEmpty)
  }

  @Test("STO-254: an ordered to-many that is its own inverse keeps the place of each member")
  func orderedReflexive() throws {
    let schema = SQLSchema(
      model: try model(
        EntityDefinition(
          "P",
          relationships: [
            RelationshipDefinition("near", to: "P", inverse: "near", isToMany: true, isOrdered: true)
          ])))
    #expect(
      schema.joinTables.map(schema.createStatement) == [
        "CREATE TABLE Z_1NEAR ( Z_1NEAR INTEGER, REFLEXIVE INTEGER, Z_FOK_REFLEXIVE INTEGER, "
          + "PRIMARY KEY (Z_1NEAR, REFLEXIVE) )"
      ])
  }

  @Test("Deep inheritance is numbered from the root down")
  func deep() throws {
    let entities = (0..<200).map { EntityDefinition("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
    let schema = SQLSchema(model: try ManagedObjectModel(ModelDefinition(entities: entities)))
    #expect(schema.entities.map(\.number) == Array(1...200))
    #expect(schema.tables.count == 1)
  }

  @Test("Names beyond ASCII letters are quoted in statements", arguments: ["ZÄ", "Z A", "Z\"", "Z-1", ""])
  func quoting(name: String) {
    #expect(SQLName.quoted(name).hasPrefix("\"") && SQLName.quoted(name).hasSuffix("\""))
    #expect(SQLName.quoted("Z_1a") == "Z_1a")
    #expect(SQLName.quoted("a\"b") == "\"a\"\"b\"")
  }
}
