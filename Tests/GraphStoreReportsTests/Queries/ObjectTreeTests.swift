import GraphStore
import Testing

@testable import GraphStoreReports

@Suite("Trees of related objects")
struct ObjectTreeTests {
  @Test("More objects than a limit are refused before the record is written; each record counts for itself")
  func limit() throws {
    let coordinator = try PersistentStoreCoordinator.inMemory(
      model: ManagedObjectModel(
        json: Array(
          """
          {"name": "Tree", "entities": [{"name": "Node", "relationships": [
            {"name": "parent", "destination": "Node", "inverse": "children"},
            {"name": "children", "destination": "Node", "inverse": "parent", "toMany": true}]}]}
          """.utf8)))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let nodes = try (0..<4).map { _ in try context.insert(entityNamed: "Node") }
    try nodes[0].setValue(Set([nodes[1], nodes[2]]), forKey: "children")
    var trees = ObjectTreeReader(context, depth: 1, maximumObjects: 2, interruption: StatementInterruption())
    let columns = try ResultColumns(nodes[0].entity, in: coordinator, fields: "children", format: .json)
    for _ in 0..<2 { #expect(try trees.tree(of: nodes[0], columns: columns).related.count == 2) }
    try nodes[0].setValue(Set(nodes[1...]), forKey: "children")
    #expect {
      _ = try trees.tree(of: nodes[0], columns: columns)
    } throws: {
      let diagnostic = $0 as? Diagnostic
      return diagnostic?.code == "result-too-large" && diagnostic?.exitCode == .dataError
        && diagnostic?.message.contains("more than 2 objects") == true
    }
  }
}
