import Foundation
import Testing

@testable import GraphStore

/// Objects that go to other contexts, to clipboards and out of the process: as copies, values or references.
@Suite("Copies and references for elsewhere", .everyStore)
struct PassedObjectTests {
  private let fixture: ImportFixture
  private var stack: TestStack { fixture.stack }
  private var context: ManagedObjectContext { stack.context }
  private let ada: ManagedObject

  init() throws {
    fixture = try ImportFixture()
    let context = fixture.stack.context
    let labs = try context.insert("Department", ["name": "Labs"])
    ada = try context.insert("Employee", ["name": "Ada", "badge": 1, "department": labs])
    try context.insert("Employee", ["name": "Bob", "manager": ada])
    try context.save()
  }

  @Test("OBJ-440: objects have no copy of their own and encode as nothing")
  func none() {
    #expect(!((ada as Any) is any Encodable))
    #expect(!((ada as Any) is any Decodable))
  }

  @Test("OBJ-446: a copy may go to another context, where references lead to the same records")
  func otherContext() throws {
    let other = stack.newContext()
    var rules = CopyRules()
    rules["Employee", "department"] = .reference
    rules["Employee", "reports"] = .copy
    let id = try context.copy(ada, to: other, rules: rules)
    #expect(id.isTemporaryID && !context.hasChanges && other.insertedObjects.count == 2)
    let copy = try other.object(with: id)
    #expect(try copy.string("name") == "Ada" && copy.isInserted && copy.context === other)
    let department = try #require(try copy.object(forKey: "department"))
    #expect(department.context === other)
    #expect(try department.objectID == ada.object(forKey: "department")?.objectID)
    #expect(try copy.names("reports") == ["Bob"])
    try other.save()
    #expect(
      try fixture.lines("department.name", "manager.name") == [
        "Ada Labs -", "Ada Labs -", "Bob - Ada", "Bob - Ada",
      ])
  }

  @Test("OBJ-446: what is referred to has to be saved, and the other context of the same coordinator")
  func refusedContexts() throws {
    let other = stack.newContext()
    try ada.setValue(try context.insert("Department", ["name": "New"]), forKey: "department")
    var rules = CopyRules()
    rules["Employee", "department"] = .reference
    let error = #expect(throws: GraphStoreError.self) { try context.copy(ada, to: other, rules: rules) }
    #expect((error?.code, error?.property) == (.temporaryID, "department"))
    #expect(try context.copy(ada, rules: rules).object(forKey: "department")?.string("name") == "New")
    let elsewhere = try stack.otherProcess()
    let foreign = #expect(throws: GraphStoreError.self) { try context.copy(ada, to: elsewhere) }
    #expect(foreign?.code == .contextMismatch)
    #expect(!other.hasChanges && !elsewhere.hasChanges)
  }

  @Test("OBJ-447: the same record in another context is another object with the same identifier, and no copy")
  func sameRecord() throws {
    let other = stack.newContext()
    let twin = try other.existingObject(with: ada.objectID)
    #expect(twin !== ada && twin.objectID == ada.objectID && !other.hasChanges)
    try twin.setValue("Eve", forKey: "name")
    try other.save()
    #expect(try context.count(for: FetchRequest(entityName: "Employee")) == 2)
  }

  @Test(
    "OBJ-448, PAT-171: a reference to an unsaved object says that it is temporary, and is permanent after the save"
  )
  func bookmark() throws {
    let new = try context.insert("Employee", ["name": "New"])
    let bookmark = ObjectBookmark(new)
    #expect(bookmark.isTemporary && bookmark.uriRepresentation.path.contains("/t"))
    #expect(bookmark.objectID == new.objectID)
    try context.save()
    #expect(!bookmark.isTemporary && bookmark.uriRepresentation == new.objectID.uriRepresentation)
    let saved = ObjectBookmark(ada)
    #expect(!saved.isTemporary && saved.objectID == ada.objectID)
  }

  @Test("OBJ-448: it keeps the object as long as its identifier is temporary, and no longer")
  func lifetime() throws {
    let other = stack.newContext()
    weak var weakly: ManagedObject?
    let bookmark: ObjectBookmark
    do {
      let new = try other.insert("Employee", ["name": "New"])
      weakly = new
      bookmark = ObjectBookmark(new)
    }
    try other.save()
    #expect(weakly != nil)
    _ = bookmark.uriRepresentation
    #expect(weakly == nil)
    #expect(try other.object(forURIRepresentation: bookmark.uriRepresentation)?.string("name") == "New")
  }

  @Test("OBJ-449, PAT-171: what is kept for later refuses temporary identifiers with temporary-id")
  func temporary() throws {
    let new = try context.insert("Employee", ["name": "New"])
    let bookmark = ObjectBookmark(new)
    let unsaved = bookmark.uriRepresentation
    let encoding = #expect(throws: GraphStoreError.self) { try JSONEncoder().encode([bookmark]) }
    #expect((encoding?.code, encoding?.number) == (.temporaryID, 136022))
    try context.save()
    let data = try JSONEncoder().encode([bookmark])
    #expect(try JSONDecoder().decode([URL].self, from: data) == [new.objectID.uriRepresentation])
    let pasting = #expect(throws: GraphStoreError.self) { try context.object(forURIRepresentation: unsaved) }
    #expect(pasting?.code == .temporaryID)
  }

  @Test(
    "OBJ-450, PAT-172: a URI leads to its object where the store is open, and elsewhere to nothing but the values"
  )
  func pasting() throws {
    let uri = ada.objectID.uriRepresentation
    let copied = try ada.copyDictionary()
    #expect(try context.object(forURIRepresentation: uri) === ada)
    let sameStore = try stack.otherProcess()
    #expect(try sameStore.object(forURIRepresentation: uri)?.string("name") == "Ada")
    let elsewhere = try ImportFixture().stack
    #expect(try elsewhere.context.object(forURIRepresentation: uri) == nil)
    let (pasted, ignored) = try elsewhere.context.insert(entityNamed: "Employee", from: copied)
    #expect(try pasted.string("name") == "Ada" && pasted.value(forKey: "badge") as? Int64 == 1)
    #expect(ignored.isEmpty)
    let gone = ada.objectID
    for employee in try context.all("Employee") { try context.delete(employee) }
    try context.save()
    #expect(try context.object(forURIRepresentation: gone.uriRepresentation) == nil)
    #expect(try context.object(forURIRepresentation: URL(fileURLWithPath: "/x")) == nil)
  }

  @Test("PAT-169, OBJ-440: the values of all attributes pass through a property list and back")
  func values() throws {
    let tag = UUID()
    let values: [String: Any] = [
      "badge": Int64.max, "salary": 7, "email": "caf\u{E9}",
      "joined": Date(timeIntervalSinceReferenceDate: 1.0 / 3),
      "bonus": Decimal(string: "12345678901234567890.123") ?? 0, "tag": tag, "notes": ["a": [1, 2]],
      "address": ["city": "Rome", "rent": Decimal(string: "0.1") as Any],
    ]
    for (key, value) in values { try ada.setValue(value, forKey: key) }
    let copied = try ada.copyDictionary()
    #expect(copied["department"] == nil && copied["kind"] as? String == "staff")
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: copied, format: format, options: 0)
      let list = try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
      let read = try #require(list as? [String: Any])
      let (copy, ignored) = try context.insert(entityNamed: "Employee", from: read)
      #expect(ignored.isEmpty)
      for key in copied.keys where key != "joined" {
        #expect(try copy.queryValue(forKey: key) == ada.queryValue(forKey: key), "\(key)")
      }
      #expect(try copy.value(forKey: "notes") as? [String: [Int]] == ["a": [1, 2]])
      #expect(try copy.value(forKey: "department") == nil)
    }
    #expect(try ada.copyDictionary(attributes: ["name", "badge"]).keys.sorted() == ["badge", "name"])
  }

  @Test("PAT-169: keys that the entity lacks are left out and named; values that do not fit insert nothing")
  func ignoredKeys() throws {
    let (copy, ignored) = try context.insert(
      entityNamed: "Employee", from: ["name": "Cy", "shoe": 44, "department": "Labs", "badge": "12"])
    #expect(ignored == ["department", "shoe"])
    #expect(try copy.value(forKey: "badge") as? Int64 == 12)
    let before = context.insertedObjects.count
    for (values, code): ([String: Any], GraphStoreError.Code) in [
      (["badge": "x"], .valueType), (["salary": Int64.max], .valueOutOfRange), (["name": Data()], .valueType),
      (["address": ["town": "Rome"]], .unknownKey),
    ] {
      let error = #expect(throws: GraphStoreError.self) {
        try context.insert(entityNamed: "Employee", from: values)
      }
      #expect(error?.code == code)
    }
    #expect(context.insertedObjects.count == before)
    #expect(throws: GraphStoreError.self) { try ada.copyDictionary(attributes: ["nam"]) }
    #expect(throws: GraphStoreError.self) { try ada.copyDictionary(attributes: ["department"]) }
  }

  @Test(
    "PAT-170: relationships are copied as they are listed: skipped, referred to or copied along, and none is taken away unasked"
  )
  func relationships() throws {
    var rules = CopyRules()
    #expect(try context.copy(ada, rules: rules).names("reports").isEmpty)
    rules["Employee", "reports"] = .reference
    let error = #expect(throws: GraphStoreError.self) { try context.copy(ada, rules: rules) }
    #expect(error?.code == .copyWouldMove)
    rules["Employee", "reports"] = .copy
    let copy = try context.copy(ada, rules: rules)
    #expect(try copy.names("reports") == ["Bob"] && ada.names("reports") == ["Bob"])
    rules["Employee", "reports"] = .reference
    rules.allowsMoving = true
    #expect(try context.copy(ada, rules: rules).names("reports") == ["Bob"])
    #expect(try ada.names("reports").isEmpty)
  }
}
