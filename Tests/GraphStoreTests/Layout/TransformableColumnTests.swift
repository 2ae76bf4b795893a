import GraphStore
import GraphStoreSQLite
import Testing

@Suite("Attributes that a store has columns for and objects do not hold")
struct UnheldAttributeTests {
  private func stack(_ attributes: AttributeDefinition...) throws -> TestStack {
    try TestStack(ModelDefinition(entities: [EntityDefinition("Room", attributes: attributes)]))
  }

  private func check(_ stack: TestStack) throws {
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
  }

  @Test("STO-247: a model with a composite attribute makes a store, and the other attributes work")
  func composite() throws {
    let stack = try stack(
      AttributeDefinition("name", .string),
      AttributeDefinition(
        "place", .composite, isOptional: true, elements: [AttributeDefinition("street", .string)]))
    let room = try stack.context.insert("Room", ["name": "r"])
    #expect { try room.setValue("x", forKey: "place") } throws: { GraphStoreError.Code.notSupported ~= $0 }
    try stack.context.save()
    let later = try stack.otherProcess()
    try later.all("Room", "name == 'r'")[0].setValue("s", forKey: "name")
    try later.save()
    #expect(try later.all("Room", "name == 's'").count == 1)
    try check(stack)
  }

  @Test("An entity whose only attribute is transformable has objects that are saved, many at a time too")
  func transformable() throws {
    let stack = try stack(AttributeDefinition("image", .transformable))
    for _ in 0..<100 { try stack.context.insert(entityNamed: "Room") }
    try stack.context.save()
    #expect(try stack.otherProcess().all("Room").count == 100)
    try check(stack)
  }

  @Test(
    "OBJ-347: an object that must have such a value cannot be inserted, and one that has it can be changed")
  func mandatory() throws {
    let definition = ModelDefinition(entities: [
      EntityDefinition(
        "Room",
        attributes: [
          AttributeDefinition("name", .string),
          AttributeDefinition("image", .transformable, isOptional: false),
        ])
    ])
    let stack = try TestStack(definition)
    let room = try stack.context.insert("Room", ["name": "r"])
    #expect {
      try stack.context.save()
    } throws: {
      ($0 as? GraphStoreError)?.number == 1570 && ($0 as? GraphStoreError)?.property == "image"
    }
    try stack.context.delete(room)
    try stack.context.save()
    try check(stack)
    // As a store of Core Data has it.
    let connection = try SQLiteConnection(path: stack.path, mode: .readWrite)
    try connection.execute(
      "INSERT INTO ZROOM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZIMAGE) VALUES (7, 1, 1, 'r', x'00'); UPDATE Z_PRIMARYKEY SET Z_MAX = 7"
    )
    connection.close()
    let later = try stack.otherProcess()
    try later.all("Room")[0].setValue("s", forKey: "name")
    try later.save()
    try check(stack)
  }
}
