import Testing

@testable import GraphStore

extension DeleteMatrixTests {
  /// What a cell of the matrix is about.
  struct Prepared {
    let stack: TestStack
    /// The contexts from the root to the one that has the objects.
    let chain: [ManagedObjectContext]
    let source: ManagedObject
    let destination: ManagedObject?

    var context: ManagedObjectContext { chain[chain.count - 1] }
  }

  /// A source and its destination in the state that a cell is about.
  ///
  /// - Parameter depth: How many contexts are above the one that has both.
  func prepare(_ cell: Case, depth: Int = 0) throws -> Prepared {
    let shape = cell.shape
    let stack = try TestStack(shape.model(cell.rule))
    var chain = [stack.context]
    for _ in 0..<depth { chain.append(ManagedObjectContext(childOf: chain[chain.count - 1])) }
    let context = chain[depth]
    let first = try context.insert("Source", ["name": "source"])
    var destination: ManagedObject?
    if cell.state != .unsaved {
      let made = try context.insert(shape.destination, ["name": "destination"])
      if cell.state != .movedIn { try shape.link(first, made) }
      destination = made
    }
    for context in chain.reversed() { try context.save() }
    if depth > 0, let made = destination { _ = try context.existingObject(with: made.objectID) }
    let destinationID = destination?.objectID
    destination = nil
    if cell.state != .realised { context.reset() }
    // Contexts above show what they have in memory.
    if cell.state == .gone { for context in chain { context.reset() } }
    let source =
      cell.state == .realised ? first : try #require(try context.all("Source", "name == 'source'").first)
    switch cell.state {
    case .unsaved:
      destination = try context.insert(shape.destination, ["name": "destination"])
      try shape.link(source, destination!)
    case .realised: destination = try context.existingObject(with: destinationID!)
    case .fault: destination = try context.object(with: destinationID!)
    case .unregistered: break
    case .movedAway:
      destination = try context.object(with: destinationID!)
      try shape.unlink(source, destination!)
    case .movedIn:
      destination = try context.object(with: destinationID!)
      try shape.link(source, destination!)
    case .alreadyDeleted: try context.delete(context.object(with: destinationID!))
    case .gone: try stack.removeRow(destinationID!)
    }
    return Prepared(stack: stack, chain: chain, source: source, destination: destination)
  }

  /// The names of all objects with those of their links in both directions; a record that is gone has none.
  func graph(_ shape: RelationshipShape, _ context: ManagedObjectContext) throws -> [String:
    [[String]]]
  {
    var graph: [String: [[String]]] = [:]
    for object in try context.all("Source") + context.all("Destination") {
      let isSource = object.entity.name == "Source"
      let links = isSource ? try shape.links(object) : []
      let backs = !isSource || shape.isReflexive ? try shape.backs(object) : []
      graph[try object.string("name") ?? ""] = try [links, backs].map { list in
        try list.map { try $0.string("name") ?? "gone" }.sorted()
      }
    }
    return graph
  }

  func numbers(_ result: Result<Void, any Error>) -> [Int] {
    guard case .failure(let error) = result, let error = error as? GraphStoreError else { return [] }
    return error.errors.isEmpty ? [error.number] : error.errors.map(\.number)
  }
}
