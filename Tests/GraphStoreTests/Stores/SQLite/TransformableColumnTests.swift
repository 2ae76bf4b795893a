import GraphStore
import GraphStoreSQLite
import Testing

@Suite("Columns of transformable attributes")
struct TransformableColumnTests {
  private func stack(_ attributes: AttributeDefinition...) throws -> TestStack {
    try TestStack(ModelDefinition(entities: [EntityDefinition("Room", attributes: attributes)]))
  }

  private func check(_ stack: TestStack) throws {
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
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
    "OBJ-347: an object that must have such a value is refused without one, and one that another program has made is changed"
  )
  func mandatory() throws {
    let definition = ModelDefinition(entities: [
      EntityDefinition(
        "Room",
        attributes: [
          AttributeDefinition("name", .string),
          AttributeDefinition("image", .transformable, isOptional: false, transformer: "ImageTransformer"),
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
