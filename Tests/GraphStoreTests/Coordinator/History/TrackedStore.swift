import Foundation
import GraphStoreModel
import GraphStoreSQLite

@testable import GraphStore

/// A SQLite store that keeps a history, in a folder of its own.
final class TrackedStore {
  let stack: TestStack
  var context: ManagedObjectContext { stack.context }
  var coordinator: PersistentStoreCoordinator { stack.coordinator }

  init(_ model: ModelDefinition) throws {
    stack = try TestStack(model, factory: .sqlite)
    try stack.coordinator.enableHistoryTracking(of: stack.coordinator.persistentStores[0])
  }

  /// All that the history has, or what came after a place.
  func history(after token: PersistentHistoryToken? = nil) throws -> [PersistentHistoryTransaction] {
    try context.execute(.fetchHistory(after: token)).transactions
  }

  /// Runs SQL past the library.
  func execute(_ sql: String) throws {
    let connection = try SQLiteConnection(path: stack.path, mode: .readWrite)
    defer { connection.close() }
    try connection.execute(sql)
  }

  /// The first column of a query, past the library.
  func rows(_ sql: String) throws -> [String] {
    let connection = try SQLiteConnection(path: stack.path, mode: .readOnly)
    defer { connection.close() }
    return try connection.withStatement(sql) { row in
      var rows: [String] = []
      while try row.step() { rows.append(row.string(at: 0) ?? "NULL") }
      return rows
    }
  }

  /// The changes of each transaction as text: the kind, the record and the names of what has changed.
  func lines() throws -> [[String]] { try history().map(Self.lines) }

  static func lines(_ transaction: PersistentHistoryTransaction) -> [String] {
    (transaction.changes ?? []).map { change in
      let names = change.updatedProperties?.map(\.name).sorted() ?? []
      return (["\(change.changeType) \(change.changedObjectID)"] + names).joined(separator: " ")
    }
  }
}

enum HistoryModels {
  /// Parents with children that are deleted with them, and whose values are kept in a history.
  static var preserving: ModelDefinition {
    ModelDefinition(
      name: "Family",
      entities: [
        EntityDefinition(
          "Parent", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition(
              "children", to: "Child", inverse: "parent", isToMany: true, deleteRule: .cascade)
          ]),
        EntityDefinition(
          "Child",
          attributes: [
            AttributeDefinition("name", .string, preservesValueInHistory: true),
            AttributeDefinition("note", .string),
            AttributeDefinition("seen", .date, preservesValueInHistory: true),
          ],
          relationships: [RelationshipDefinition("parent", to: "Parent", inverse: "children")]),
        EntityDefinition(
          "Special", parent: "Child",
          attributes: [AttributeDefinition("rank", .int32, preservesValueInHistory: true)]),
      ])
  }
}
