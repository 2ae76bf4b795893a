import Foundation
import GraphStore
import Testing

@Suite("Transient relationships", .everyStore)
struct TransientRelationshipTests {
  private let stack: TestStack
  private let cards: [ManagedObject]
  private let boards: [ManagedObject]
  private var context: ManagedObjectContext { stack.context }

  /// Two cards and two boards, saved, between which all relationships are transient: 1-n, n-n, ordered, 1-1
  /// and one-way.
  init() throws {
    func relationship(
      _ name: String, to entity: String, inverse: String?, isToMany: Bool = false, isOrdered: Bool = false
    ) -> RelationshipDefinition {
      RelationshipDefinition(
        name, to: entity, inverse: inverse, isToMany: isToMany, isOrdered: isOrdered, isTransient: true)
    }
    stack = try TestStack(
      ModelDefinition(
        name: "Boards",
        entities: [
          EntityDefinition(
            "Card", attributes: [AttributeDefinition("name", .string)],
            relationships: [
              relationship("board", to: "Board", inverse: "cards"),
              relationship("seen", to: "Board", inverse: "viewers", isToMany: true),
              relationship("rank", to: "Board", inverse: "ranking"),
              relationship("pinned", to: "Board", inverse: "pin"),
              relationship("recent", to: "Board", inverse: nil),
            ]),
          EntityDefinition(
            "Board", attributes: [AttributeDefinition("name", .string)],
            relationships: [
              relationship("cards", to: "Card", inverse: "board", isToMany: true),
              relationship("viewers", to: "Card", inverse: "seen", isToMany: true),
              relationship("ranking", to: "Card", inverse: "rank", isToMany: true, isOrdered: true),
              relationship("pin", to: "Card", inverse: "pinned"),
            ]),
        ]))
    let context = stack.context
    cards = try ["a", "b"].map { try context.insert("Card", ["name": $0]) }
    boards = try ["x", "y"].map { try context.insert("Board", ["name": $0]) }
    try context.save()
  }

  private func link() throws {
    try cards[0].setValue(boards[0], forKey: "board")
    try boards[0].addObjects([cards[1]], forKey: "cards")
    try cards[0].addObjects(boards, forKey: "seen")
    try boards[0].setValue([cards[1], cards[0]], forKey: "ranking")
    try boards[0].setValue(cards[1], forKey: "pin")
    try cards[0].setValue(boards[1], forKey: "recent")
  }

  /// What each relationship of the first board, of the first card and of the second one leads to.
  private func picture() throws -> [String] {
    func names(_ objects: [ManagedObject?]) throws -> String {
      try objects.map { try $0?.string("name") ?? "-" }.joined()
    }
    return try [
      names(boards[0].objects(forKey: "cards")), names(boards[0].objects(forKey: "viewers")),
      names(boards[0].objects(forKey: "ranking")), names([boards[0].object(forKey: "pin")]),
      names([cards[0].object(forKey: "board")]), names(cards[0].objects(forKey: "seen")),
      names([cards[0].object(forKey: "rank")]), names([cards[1].object(forKey: "pinned")]),
      names([cards[0].object(forKey: "recent")]),
    ]
  }

  private static let linked = ["ab", "a", "ba", "b", "x", "xy", "x", "x", "y"]
  private static let empty = ["", "", "", "-", "-", "", "-", "-", "-"]

  @Test("REL-014, MDL-105: both ends are kept in step and tracked, and nothing is read or written for it")
  func kept() throws {
    let statements = try stack.statements { try link() }
    #expect(try statements == 0 && picture() == Self.linked)
    #expect(context.hasChanges && Set(context.updatedObjects) == Set(cards + boards))
    #expect(try cards[0].changedValues().isEmpty && !cards[0].hasPersistentChangedValues)
    let versions = try stack.newContext().all("Card").map { try $0.string("name") }
    // The records are looked at, by a statement a tree, and not written (OBJ-095).
    #expect(try stack.statements { try context.save() } <= 2)
    #expect(!context.hasChanges && versions.count == 2)
    #expect(try picture() == Self.linked)
    let other = try stack.otherProcess()
    let board = try other.all("Board", "name == 'x'")[0]
    for key in ["cards", "viewers", "ranking"] { #expect(try board.objects(forKey: key).isEmpty) }
    #expect(try board.object(forKey: "pin") == nil)
  }

  @Test(
    "REL-014, MDL-108: changes are undone and redone on both ends, before a save and after it",
    arguments: [false, true])
  func undone(_ isSaved: Bool) throws {
    try context.setUndoManager(GraphUndoManager())
    try link()
    try context.processPendingChanges()
    if isSaved { try context.save() }
    try context.undo()
    #expect(try picture() == Self.empty)
    try context.redo()
    #expect(try picture() == Self.linked)
  }

  @Test("REL-014, FLT-050: an object that was a fault has none, and the other ends do not name it any more")
  func refaulted() throws {
    try link()
    try context.save()
    try context.refresh(cards[0], mergeChanges: false)
    #expect(cards[0].isFault)
    for key in ["board", "rank", "recent"] { #expect(try cards[0].object(forKey: key) == nil) }
    #expect(try !cards[0].hasFault(forRelationshipNamed: "seen") && cards[0].objects(forKey: "seen").isEmpty)
    #expect(try picture() == ["b", "", "b", "b", "-", "", "-", "x", "-"])
    try context.refresh(boards[0], mergeChanges: true)
    #expect(try picture() == Self.empty)
    #expect(try cards[1].object(forKey: "board") == nil)
    #expect(!context.hasChanges)
  }

  @Test("REL-014, REL-315: a refresh that drops changes, and a rollback, leave nothing on either end")
  func dropped() throws {
    try link()
    try context.refresh(boards[0], mergeChanges: false)
    #expect(try picture() == ["", "", "", "-", "-", "y", "-", "-", "y"])
    try link()
    context.rollback()
    #expect(try picture() == Self.empty && !context.hasChanges)
  }

  @Test("REL-014, OBJ-071: a merging refresh of a changed object keeps them")
  func merged() throws {
    try link()
    try cards[0].setValue("c", forKey: "name")
    try context.refresh(cards[0], mergeChanges: true)
    #expect(try picture() == ["cb", "c", "bc", "b", "x", "xy", "x", "x", "y"])
  }

  @Test(
    "REL-014, REL-192: a deletion empties the other ends without a statement for them, and undo fills them")
  func deleted() throws {
    try context.setUndoManager(GraphUndoManager())
    try link()
    try context.processPendingChanges()
    try context.delete(boards[0])
    try context.processPendingChanges()
    #expect(try cards[0].object(forKey: "board") == nil && cards[1].object(forKey: "pinned") == nil)
    #expect(try cards[0].objects(forKey: "seen") == [boards[1]] && cards[1].object(forKey: "rank") == nil)
    try context.undo()
    #expect(try picture() == Self.linked)
    try context.redo()
    try context.save()
    #expect(try stack.otherProcess().all("Board").count == 1)
  }

  @Test("REL-014, REL-266: links to a new object go with it")
  func newObjects() throws {
    let board = try context.insert("Board", ["name": "z"])
    try board.setValue(Set(cards), forKey: "cards")
    try context.delete(board)
    try context.processPendingChanges()
    #expect(try cards.allSatisfy { try $0.object(forKey: "board") == nil })
    let kept = try context.insert("Board", ["name": "z"])
    try kept.setValue(Set(cards), forKey: "cards")
    try context.save()
    #expect(
      try cards.allSatisfy { try $0.object(forKey: "board") === kept } && kept.names("cards") == ["a", "b"])
  }

  @Test("MDL-106: a fetch that names one is refused before anything is read")
  func fetched() throws {
    let statements = stack.statements {
      for predicate in ["board.name == 'x'", "ANY seen.name == 'x'"] {
        #expect(throws: (any Error).self) { try context.all("Card", predicate) }
      }
    }
    #expect(statements == 0)
  }
}
