import GraphStoreModel

/// The ids of the records so far and the objects that they became: the first thousands in memory, the rest beside it.
final class ImportLabels {
  private static let capacity = 100_000

  private let scratch: ImportScratch
  private let plan: ModelPlan
  private var references: [ObjectReferenceWord: ObjectReferenceWord] = [:]
  private var names: [[UInt8]: ObjectReferenceWord] = [:]
  private var spills = false

  init(_ plan: ModelPlan, _ scratch: ImportScratch) {
    self.plan = plan
    self.scratch = scratch
  }

  func add(_ label: ImportTarget, _ object: RecordReference) throws {
    let word = ObjectReferenceWord(object)
    let isFull = references.count + names.count >= Self.capacity
    if isFull { spills = true }
    switch label {
    case .reference(let entity, let number):
      let tree = plan.entities[entity].rootIndex
      if isFull { return try scratch.addLabel(tree: tree, number: number, word) }
      references[ObjectReferenceWord(entity: tree, key: number)] = word
    case .label(let name):
      if isFull { return try scratch.addName(name, word) }
      names[name] = word
    case .nothing, .lookup: break
    }
  }

  /// The object that a record with this id became.
  func object(_ label: ImportTarget) throws -> RecordReference? {
    switch label {
    case .reference(let entity, let number):
      let tree = plan.entities[entity].rootIndex
      if let word = references[ObjectReferenceWord(entity: tree, key: number)] {
        return RecordReference(word)
      }
      return spills ? try scratch.label(tree: tree, number: number).map { RecordReference($0) } : nil
    case .label(let name):
      if let word = names[name] { return RecordReference(word) }
      return spills ? try scratch.name(name).map { RecordReference($0) } : nil
    case .nothing, .lookup: return nil
    }
  }
}
