import GraphStore
import Testing

/// Every shape with every rule, for destinations in every state (REL-390).
@Suite(.everyStore)
struct DeleteMatrixTests {
  enum State: String, CaseIterable, Sendable {
    case unsaved, realised, fault, unregistered, movedAway, movedIn, alreadyDeleted, gone
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let shape: RelationshipShape
    let rule: DeleteRule
    let state: State

    var testDescription: String { "\(shape.name), \(rule), \(state)" }

    static let all: [Self] = RelationshipShape.all.flatMap { shape in
      [DeleteRule.nullify, .cascade, .deny, .noAction].flatMap { rule in
        State.allCases.map { Self(shape: shape, rule: rule, state: $0) }
      }
    }

    /// Whether the destination still hangs on the source when it is deleted.
    var isLinked: Bool { ![.movedAway, .alreadyDeleted, .gone].contains(state) }
    var isDestinationChanged: Bool { [.unsaved, .movedIn].contains(state) }

    enum Outcome { case bothGone, destinationStays, denied, dangling, failsDangling, sourceGone }

    var outcome: Outcome {
      switch state {
      case .movedAway: return .destinationStays
      case .alreadyDeleted, .gone: return .bothGone
      default: break
      }
      switch rule {
      case .cascade: return .bothGone
      case .nullify: return .destinationStays
      case .deny: return .denied
      case .noAction:
        guard shape.hasToOneBack else { return .destinationStays }
        return isDestinationChanged ? .failsDangling : .dangling
      }
    }
  }

  @Test("REL-390, REL-391: rule, survivors and preview hold for every shape and state", arguments: Case.all)
  func cell(_ cell: Case) throws {
    let (stack, source, destination) = try prepare(cell)
    let (shape, context) = (cell.shape, stack.context)
    let preview = try context.deletionPreview(of: [source])
    let isDeletedBefore = cell.state == .alreadyDeleted && shape.isSelfInverse && cell.rule == .cascade
    #expect(source.isDeleted == isDeletedBefore)
    try context.delete(source)
    try context.processPendingChanges()
    let deleted = Set(context.deletedObjects + (destination.map { $0.isInserted ? [] : [$0] } ?? []))
      .filter { $0.managedObjectContext == nil || $0.isDeleted }
    if cell.state != .alreadyDeleted, cell.state != .gone {
      #expect(Set(preview.deletions.map(\.objectID)) == Set(deleted.map(\.objectID)))
    }
    let saved = Result { try context.save() }
    let other = try stack.otherProcess()
    let sources = try other.all("Source", "name == 'source'")
    let destinations = try other.all(shape.destination, "name == 'destination'")
    switch cell.outcome {
    case .denied:
      #expect(numbers(saved).contains(1600))
      #expect(!preview.wouldSucceed && preview.denials.count == 1)
      #expect(sources.count == 1)
      return
    case .failsDangling:
      #expect(numbers(saved) == [1550])
      #expect(sources.count == 1)
      return
    case .bothGone: #expect(destinations.isEmpty)
    case .destinationStays, .sourceGone:
      #expect(destinations.count == 1)
      for object in destinations { #expect(try shape.backs(object).isEmpty) }
    case .dangling:
      #expect(destinations.count == 1)
      for object in destinations { #expect(try shape.backs(object).map(\.objectID) == [source.objectID]) }
    }
    #expect(throws: Never.self) { try saved.get() }
    #expect(preview.wouldSucceed)
    #expect(sources.isEmpty)
    #expect(!context.hasChanges)
  }

  @Test(
    "REL-391, REL-282, CTX-152: undo gives each cell its graph back, also past a save", arguments: Case.all)
  func undone(_ cell: Case) throws {
    let (stack, source, destination) = try prepare(cell)
    let (shape, context) = (cell.shape, stack.context)
    guard ![.gone, .alreadyDeleted].contains(cell.state), !source.isDeleted else { return }
    func picture() throws -> [String] {
      let ends = [destination].compactMap { $0 }.filter {
        $0.managedObjectContext != nil && !$0.isDeleted
      }
      return try [source.isDeleted.description] + shape.links(source).map(\.objectID.shortForm)
        + ends.flatMap { try shape.backs($0).map(\.objectID.shortForm) }
    }
    try context.processPendingChanges()
    let before = try picture()
    try context.setUndoManager(GraphUndoManager())
    try context.delete(source)
    try context.processPendingChanges()
    try context.undo()
    #expect(try picture() == before)
    try context.delete(source)
    guard case .success = Result(catching: { try context.save() }) else { return }
    try context.undo()
    #expect(try picture().count == before.count)
    try context.save()
    let stored = try #require(try stack.otherProcess().all("Source", "name == 'source'").first)
    #expect(try shape.links(stored).count == shape.links(source).count)
  }

  /// A source and its destination in the state that a cell is about.
  private func prepare(_ cell: Case) throws -> (TestStack, source: ManagedObject, destination: ManagedObject?)
  {
    let shape = cell.shape
    let stack = try TestStack(shape.model(cell.rule))
    let context = stack.context
    let first = try context.insert("Source", ["name": "source"])
    var destination: ManagedObject?
    if cell.state != .unsaved {
      let made = try context.insert(shape.destination, ["name": "destination"])
      if cell.state != .movedIn { try shape.link(first, made) }
      destination = made
    }
    try context.save()
    let destinationID = destination?.objectID
    destination = nil
    if cell.state != .realised { context.reset() }
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
    return (stack, source, destination)
  }

  private func numbers(_ result: Result<Void, any Error>) -> [Int] {
    guard case .failure(let error) = result, let error = error as? GraphStoreError else { return [] }
    return error.errors.isEmpty ? [error.number] : error.errors.map(\.number)
  }
}
