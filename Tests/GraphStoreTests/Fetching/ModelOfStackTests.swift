import GraphStore
import Testing

@Suite("The model of a stack")
struct ModelOfStackTests {
  @Test("MDL-009, MDL-010, MDL-011, MDL-396: a coordinator has one model, which context and object lead to")
  func oneModel() throws {
    let stack = try TestStack(TestModels.company())
    let model = stack.coordinator.managedObjectModel
    let object = try stack.context.insert("Employee", [:])
    #expect(stack.context.coordinator.managedObjectModel === model)
    #expect(object.entity.model === model)
    #expect(try object.entity === model.entity(named: "Employee"))
    #expect(stack.newContext().coordinator.managedObjectModel === model)
  }

  @Test("MDL-324: a store's metadata fits the model it was made with, as it is read from the file")
  func metadata() throws {
    let stack = try TestStack(TestModels.company())
    let metadata = try stack.coordinator.metadata()
    #expect(
      try stack.coordinator.managedObjectModel.isConfiguration(
        withName: nil, compatibleWithStoreMetadata: metadata))
    var definition = TestModels.company()
    definition.entities.append(EntityDefinition("More"))
    let other = try ManagedObjectModel(definition)
    #expect(try !other.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    #expect(try ManagedObjectModel(merging: [other], forStoreMetadata: metadata)?.entities.count == 5)
  }
}
