import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreModel

@Suite("Writing models")
struct ModelWritingTests {
  @Test("MDL-034: writing and reading back gives an equal model")
  func roundTrip() throws {
    let model = try ManagedObjectModel(fullDefinition)
    let copy = try ManagedObjectModel(json: model.jsonData())
    #expect(copy.definition == model.definition)
    #expect(copy.versionChecksum == model.versionChecksum)
    #expect(copy.jsonData() == model.jsonData())
  }

  @Test("MDL-034: keys at their defaults are left out")
  func defaultsLeftOut() throws {
    let definition = ModelDefinition(entities: [
      EntityDefinition("A", attributes: [.init("x", .string)], relationships: [.init("r", to: "A")])
    ])
    #expect(
      String(decoding: definition.jsonData(), as: UTF8.self) == """
        {
          "entities": [
            {
              "name": "A",
              "attributes": [{ "name": "x", "type": "string" }],
              "relationships": [{ "name": "r", "destination": "A" }]
            }
          ]
        }

        """)
  }

  @Test("MDL-002, MDL-034: the models of the repository read back equal", arguments: ["company", "packages"])
  func shippedModels(name: String) throws {
    let model = try ManagedObjectModel(
      contentsOf: Repository.models.appendingPathComponent("\(name).json").path)
    let copy = try ManagedObjectModel(json: model.jsonData())
    #expect(copy.definition == model.definition)
    #expect(try ManagedObjectModel(model.definition).versionChecksum == model.versionChecksum)
  }

  @Test("MDL-030: a name in the file goes before the file's own")
  func names() throws {
    let model = try ManagedObjectModel(
      contentsOf: Repository.models.appendingPathComponent("company.json").path)
    #expect(model.name == "Company")
    #expect(try ManagedObjectModel(json: Array(#"{"entities":[]}"#.utf8), name: "file").name == "file")
  }
}
