import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Fetched properties and deletion")
struct FetchedPropertyDeletionTests {
  @Test("REL-205: a fetched property has no delete rule, and a deletion neither follows nor names it")
  func deletion() throws {
    var model = TestModels.company()
    model.entities[0].fetchedProperties = [
      FetchedPropertyDefinition("people", entity: "Employee", predicate: "name != nil")
    ]
    let stack = try TestStack(model)
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    try context.insert("Employee", ["name": "Ada"])
    try context.save()
    context.reset()
    let again = try context.existingObject(with: department.objectID)
    #expect(again.layout.relationships.map(\.description.name) == ["employees"])
    let preview = try context.deletionPreview(of: [again])
    #expect(preview.deletions.map(\.objectID) == [again.objectID] && preview.clearings.isEmpty)
    #expect(preview.danglingReferences.isEmpty && preview.denials.isEmpty && preview.failures.isEmpty)
    try context.delete(again)
    try context.save()
    #expect(try stack.otherProcess().all("Employee").map { try $0.string("name") } == ["Ada"])
    let json = """
      {"entities": [{"name": "A", "fetchedProperties": [
        {"name": "all", "entity": "A", "deleteRule": "cascade"}]}]}
      """
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(json: Array(json.utf8)) }
    #expect(error?.problems.map(\.code) == ["model-unknown-key"])
    #expect(error?.problems.first?.message.contains("deleteRule") == true)
  }
}
