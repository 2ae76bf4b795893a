import GraphStore

/// Departments and employees in a store in memory.
struct Staff {
  static let model = """
    {"name": "Staff", "entities": [
      {"name": "Department", "attributes": [{"name": "name", "type": "string", "optional": false}],
        "relationships": [{"name": "employees", "destination": "Employee", "inverse": "department",
          "toMany": true, "deleteRule": "cascade"}]},
      {"name": "Employee", "attributes": [
          {"name": "name", "type": "string", "optional": false}, {"name": "salary", "type": "int32"}],
        "relationships": [
          {"name": "department", "destination": "Department", "inverse": "employees"}]}],
      "fetchRequests": [
        {"name": "wellPaid", "entity": "Employee", "predicate": "salary > $MIN", "sort": ["name"]}]}
    """

  let context: ManagedObjectContext

  init(storeAt path: String? = nil) throws {
    let model = try ManagedObjectModel(json: Array(Self.model.utf8))
    let coordinator =
      try path.map { try PersistentStoreCoordinator.create(storeAt: $0, model: model) }
      ?? .inMemory(model: model)
    context = ManagedObjectContext(coordinator: coordinator)
    let sales = try department("Sales")
    let research = try department("Research")
    try employee("Ada", 72_000, in: research)
    try employee("Grace", 81_000, in: research)
    try employee("Hedy", 65_000, in: sales)
    try context.save()
  }

  /// The entity of a name.
  func entity(_ name: String) throws -> EntityDescription {
    try context.coordinator.managedObjectModel.entity(named: name)
  }

  private func department(_ name: String) throws -> ManagedObject {
    let department = try context.insert(entityNamed: "Department")
    try department.setValue(name, forKey: "name")
    return department
  }

  private func employee(_ name: String, _ salary: Int32, in department: ManagedObject) throws {
    let employee = try context.insert(entityNamed: "Employee")
    try employee.setValue(name, forKey: "name")
    try employee.setValue(salary, forKey: "salary")
    try employee.setValue(department, forKey: "department")
  }
}
