import GraphStoreModel

/// The ids of the records so far and the objects that they became: the first thousands in memory, the rest beside it.
final class ImportLabels {
  /// What has an id.
  enum Holder {
    /// The object that the record of that number became.
    case object(RecordReference, record: Int)
    /// A record that is not written yet.
    case waiting
  }

  /// A holder in two words, as it is kept.
  struct Entry {
    /// The word of a record that waits: no entity and key give it.
    static let waiting = ObjectReferenceWord(bits: .max)

    let word: ObjectReferenceWord
    let record: Int

    var holder: Holder {
      word == Self.waiting ? .waiting : .object(RecordReference(word), record: record)
    }
  }

  private struct Name: Hashable {
    let tree: Int
    let bytes: [UInt8]
  }

  private static let capacity = 100_000

  private let scratch: ImportScratch
  private let plan: ModelPlan
  /// Those of the records that were written before this import took up the rest.
  private let earlier: ImportLabels?
  private var references: [ObjectReferenceWord: Entry] = [:]
  private var names: [Name: Entry] = [:]
  private var spills = false

  init(_ plan: ModelPlan, _ scratch: ImportScratch, earlier: ImportLabels?) {
    self.plan = plan
    self.scratch = scratch
    self.earlier = earlier
  }

  func add(_ label: ImportTarget, _ object: RecordReference, record: Int) throws {
    try add(label, Entry(word: ObjectReferenceWord(object), record: record))
  }

  /// Keeps the id of a record that is written later.
  func addWaiting(_ label: ImportTarget, record: Int) throws {
    try add(label, Entry(word: Entry.waiting, record: record))
  }

  private func add(_ label: ImportTarget, _ entry: Entry) throws {
    let isFull = references.count + names.count >= Self.capacity
    if isFull { spills = true }
    switch label {
    case .reference(let entity, let number):
      let tree = plan.entities[entity].rootIndex
      if isFull { return try scratch.addLabel(tree: tree, number: number, entry) }
      references[ObjectReferenceWord(entity: tree, key: number)] = entry
    case .label(let tree, let bytes):
      if isFull { return try scratch.addName(tree: tree, bytes, entry) }
      names[Name(tree: tree, bytes: bytes)] = entry
    case .nothing, .lookup: break
    }
  }

  /// What has an id; records that waited when this import took up the rest have theirs no more.
  func holder(of label: ImportTarget) throws -> Holder? {
    if let entry = try entry(label) { return entry.holder }
    guard let earlier, case .object(let object, let record)? = try earlier.holder(of: label) else {
      return nil
    }
    return .object(object, record: record)
  }

  private func entry(_ label: ImportTarget) throws -> Entry? {
    switch label {
    case .reference(let entity, let number):
      let tree = plan.entities[entity].rootIndex
      if let entry = references[ObjectReferenceWord(entity: tree, key: number)] { return entry }
      return spills ? try scratch.label(tree: tree, number: number) : nil
    case .label(let tree, let bytes):
      if let entry = names[Name(tree: tree, bytes: bytes)] { return entry }
      return spills ? try scratch.name(tree: tree, bytes) : nil
    case .nothing, .lookup: return nil
    }
  }
}
