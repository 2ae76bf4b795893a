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

    /// Whether the type of store takes part. SQLite and memory have all cells; what others keep differs by
    /// nothing that deleting touches, so that each cell is for one of them, and an eighth for a server, where
    /// making a store takes longest.
    var isTurn: Bool {
      let own = StoreFactory.current.description
      if [StoreFactory.sqlite, .memory].contains(where: { $0.description == own }) { return true }
      let others = [StoreFactory.privateSQLite, .json, .binary].map(\.description)
      let (count, place) = others.firstIndex(of: own).map { (others.count, $0) } ?? (8, 0)
      return number % count == place
    }

    /// Its place among all.
    private var number: Int {
      let index = RelationshipShape.all.firstIndex { $0.name == shape.name } ?? 0
      return index + (DeleteRule.allCases.firstIndex(of: rule) ?? 0)
        + (State.allCases.firstIndex(of: state) ?? 0)
    }

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

  @Test(
    "REL-390, REL-391, REL-447: rule, survivors and preview hold for every shape and state",
    arguments: Case.all)
  func cell(_ cell: Case) throws {
    guard cell.isTurn else { return }
    let prepared = try prepare(cell)
    let (stack, source, destination) = (prepared.stack, prepared.source, prepared.destination)
    let (shape, context) = (cell.shape, stack.context)
    let before = try graph(shape, stack.otherProcess())
    let preview = try context.deletionPreview(of: [source])
    let isDeletedBefore = cell.state == .alreadyDeleted && shape.isSelfInverse && cell.rule == .cascade
    #expect(source.isDeleted == isDeletedBefore)
    try context.delete(source)
    // At most two statements for each of two relationships in each of two waves (REL-242).
    #expect(try stack.statements { try context.processPendingChanges() } <= 8)
    try expectInverses(shape, context.registeredObjects.filter { !$0.isDeleted && !$0.isFault })
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
    case .denied, .failsDangling:
      // Of a destination that was changed, and is in the way, the denial alone tells.
      #expect(numbers(saved) == [cell.outcome == .denied ? 1600 : 1550])
      #expect(cell.outcome == .failsDangling || (!preview.wouldSucceed && preview.denials.count == 1))
      #expect(try graph(shape, other) == before)
      #expect(source.isDeleted)
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
    if cell.outcome != .dangling { try expectInverses(shape, other.all("Source") + other.all("Destination")) }
  }

  @Test(
    "REL-391, REL-282, REL-447: undo gives each cell its graph back, and a save the same records",
    arguments: Case.all)
  func undone(_ cell: Case) throws {
    guard cell.isTurn else { return }
    let prepared = try prepare(cell)
    let (stack, source, context) = (prepared.stack, prepared.source, prepared.context)
    let expected = try untouched(cell)
    try context.processPendingChanges()
    if source.isDeleted { return }
    let flags = [context.insertedObjects, context.updatedObjects, context.deletedObjects].map { Set($0) }
    try context.setUndoManager(GraphUndoManager())
    try context.delete(source)
    try context.processPendingChanges()
    try context.undo()
    #expect(!source.isDeleted && !source.isFault)
    if cell.state != .gone {
      let now = [context.insertedObjects, context.updatedObjects, context.deletedObjects].map { Set($0) }
      #expect(now == flags)
    }
    guard let expected else {
      #expect(throws: GraphStoreError.self) { try context.save() }
      return
    }
    try context.save()
    #expect(try graph(cell.shape, stack.otherProcess()) == expected)
  }

  @Test("REL-391, CTX-152, REL-447: undo past a save brings the records back", arguments: Case.all)
  func undoneAfterSave(_ cell: Case) throws {
    guard cell.isTurn else { return }
    let prepared = try prepare(cell)
    let (stack, source, context) = (prepared.stack, prepared.source, prepared.context)
    let expected = try untouched(cell)
    try context.processPendingChanges()
    if source.isDeleted { return }
    try context.setUndoManager(GraphUndoManager())
    try context.delete(source)
    guard case .success = Result(catching: { try context.save() }) else { return }
    try context.undo()
    #expect(source.managedObjectContext === context && !source.isDeleted)
    // A link to a record that is gone cannot be stored again.
    guard ![.gone, .alreadyDeleted].contains(cell.state) else { return }
    try context.save()
    #expect(try graph(cell.shape, stack.otherProcess()) == expected)
  }

  /// What is stored of a cell whose source is not deleted; nil where its other changes cannot be saved.
  private func untouched(_ cell: Case) throws -> [String: [[String]]]? {
    let twin = try prepare(cell).stack
    guard case .success = Result(catching: { try twin.context.save() }) else { return nil }
    return try graph(cell.shape, twin.otherProcess())
  }

  /// REL-067: who is linked to an object has it at the other end, and nobody else.
  private func expectInverses(_ shape: RelationshipShape, _ objects: [ManagedObject]) throws {
    guard shape.hasInverse else { return }
    for object in objects where object.entity.name == "Source" {
      for other in try shape.links(object) where !other.isDeleted {
        #expect(try shape.backs(other).contains(object), "\(object) has \(other)")
      }
    }
    for object in objects where object.entity.name == shape.destination {
      for other in try shape.backs(object) where !other.isDeleted {
        #expect(try shape.links(other).contains(object), "\(other) is led to by \(object)")
      }
    }
  }
}
