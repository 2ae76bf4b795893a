import Foundation
import GraphStore

/// An object's values, and the trees of the objects that they refer to.
struct ObjectTree {
  let row: any FieldRow
  let columns: ResultColumns
  /// The objects that are shown in place of their ids.
  let related: [ManagedObjectID: ObjectTree]
}

/// Reader of the objects that are related to one, down to a depth.
///
/// An object inside of itself, as the manager of a report of that manager, is not read again, nor is one that
/// has no record: both stay ids. Destinations of an object are read together, in one statement an entity
/// tree.
package struct ObjectTreeReader {
  let context: ManagedObjectContext
  /// How many levels of objects are read below the first.
  let depth: Int
  let interruption: StatementInterruption
  /// How many related objects are read for one that was asked for, since their number can grow by a factor
  /// with each level.
  let maximumObjects: Int
  /// The columns of related objects by entity, for the lowest level, which has no to-many relationships, and
  /// for the others.
  private var knownColumns: [Bool: [ObjectIdentifier: ResultColumns]] = [:]
  /// The objects around the one that is read.
  private var path: [ManagedObjectID] = []
  /// The number of objects read so far around the one that was asked for.
  private var count = 0

  /// A reader of objects of a context.
  package init(
    _ context: ManagedObjectContext, depth: Int, maximumObjects: Int = 100_000,
    interruption: StatementInterruption
  ) {
    self.context = context
    self.depth = depth
    self.maximumObjects = maximumObjects
    self.interruption = interruption
  }

  /// - Throws: a ``Diagnostic`` for an object with more related ones than ``maximumObjects``.
  mutating func tree(of object: ManagedObject, columns: ResultColumns) throws -> ObjectTree {
    try interruption.check()
    count = path.isEmpty ? 0 : count + 1
    guard count <= maximumObjects else { throw tooMany(around: path[0]) }
    let row = try context.fields(of: object, keyPaths: columns.keyPaths)
    guard path.count < depth else { return ObjectTree(row: row, columns: columns, related: [:]) }
    path.append(object.objectID)
    defer { path.removeLast() }
    var references = ReferenceCollector()
    for field in columns.keyPaths.indices { row.visit(field, &references) }
    var related: [ManagedObjectID: ObjectTree] = [:]
    let ids = references.ids.filter { !path.contains($0) }
    for destination in try context.existingObjects(with: ids) where related[destination.objectID] == nil {
      related[destination.objectID] = try tree(
        of: destination, columns: try relatedColumns(of: destination.entity))
    }
    return ObjectTree(row: row, columns: columns, related: related)
  }

  private func tooMany(around id: ManagedObjectID) -> Diagnostic {
    Diagnostic(
      code: "result-too-large",
      message: "\(id.shortForm) has more than \(maximumObjects) objects around it down to depth \(depth)",
      hints: [
        "give a lesser --depth, name the relationships with --fields, or fetch the related objects themselves"
      ],
      entity: id.entity.name, exitCode: .dataError)
  }

  private mutating func relatedColumns(of entity: EntityDescription) throws -> ResultColumns {
    let isLowest = path.count == depth
    if let known = knownColumns[isLowest]?[ObjectIdentifier(entity)] { return known }
    let columns = try ResultColumns(
      entity, in: context.coordinator, fields: nil, includesToMany: !isLowest, format: .json)
    knownColumns[isLowest, default: [:]][ObjectIdentifier(entity)] = columns
    return columns
  }
}

/// Field visitor that gathers the ids of the objects that values refer to.
private struct ReferenceCollector: FieldVisitor {
  private(set) var ids: [ManagedObjectID] = []

  mutating func reference(_ id: ManagedObjectID) { ids.append(id) }

  func reference(_ entityName: String, _ key: Int64) {}
  func null() {}
  func boolean(_ value: Bool) {}
  func integer(_ value: Int64) {}
  func double(_ value: Double, isSingle: Bool) {}
  func decimal(_ value: Decimal) {}
  func decimal(whole: Int64) {}
  func decimal(double: Double) {}
  func text(_ utf8: UnsafeBufferPointer<UInt8>) {}
  func date(_ seconds: Double) {}
  func uuid(_ bytes: UnsafeBufferPointer<UInt8>) {}
  func uri(_ utf8: UnsafeBufferPointer<UInt8>) {}
  func data(_ bytes: UnsafeBufferPointer<UInt8>) {}
  func beginList() {}
  func endList() {}
}
