import GraphStoreModel

/// The ids of the records so far and the objects that they became: the first thousands in memory, the rest
/// beside it.
final class ImportLabels {
  /// Holder of an id.
  enum Holder {
    /// The object that the record of that number became.
    case object(ObjectKey, record: Int)
    /// A record that is not written yet.
    case waiting
  }

  /// A holder in two words, as it is kept.
  struct Entry {
    /// The word of a record that waits: no entity and key have it.
    static let waiting = PackedReference(bits: .max)

    let word: PackedReference
    let record: Int

    var holder: Holder {
      word == Self.waiting ? .waiting : .object(ObjectKey(word), record: record)
    }
  }

  private static let capacity = 100_000
  /// From so many on there is room for all that memory is to hold.
  private static let few = 4096

  private let scratch: ImportScratch
  private let roots: [Int]
  /// Those of the records that were written before this import resumed with the rest.
  private let earlier: ImportLabels?
  private var table: LabelTable<Entry>
  private var spills = false

  /// - Parameter roots: by entity, the root of its tree.
  init(roots: [Int], _ scratch: ImportScratch, earlier: ImportLabels?) {
    self.roots = roots
    self.scratch = scratch
    self.earlier = earlier
    table = LabelTable(roots: roots)
  }

  func add(_ label: ImportTarget, _ object: ObjectKey, record: Int) throws {
    try add(label, Entry(word: PackedReference(object), record: record))
  }

  /// Keeps the id of a record that is written later, unless another record has it.
  func addWaiting(_ label: ImportTarget, record: Int) throws {
    guard try holder(of: label) == nil else { return }
    try add(label, Entry(word: Entry.waiting, record: record))
  }

  private func add(_ label: ImportTarget, _ entry: Entry) throws {
    guard table.count >= Self.capacity else {
      if table.count == Self.few { table.reserveCapacity(Self.capacity, like: label) }
      table.update(entry, for: label)
      return
    }
    spills = true
    switch label {
    case .reference(let entity, let number):
      try scratch.addLabel(tree: roots[entity], number: number, entry)
    case .label(let tree, let bytes): try scratch.addName(tree: tree, bytes, entry)
    case .nothing, .lookup: break
    }
  }

  /// The holder of an id; records that waited when this import resumed with the rest have theirs no more.
  func holder(of label: ImportTarget) throws -> Holder? {
    if let entry = try table[label] ?? spilled(label) { return entry.holder }
    guard let earlier, case .object(let object, let record)? = try earlier.holder(of: label) else {
      return nil
    }
    return .object(object, record: record)
  }

  private func spilled(_ label: ImportTarget) throws -> Entry? {
    guard spills else { return nil }
    switch label {
    case .reference(let entity, let number): return try scratch.label(tree: roots[entity], number: number)
    case .label(let tree, let bytes): return try scratch.name(tree: tree, bytes)
    case .nothing, .lookup: return nil
    }
  }
}

/// Holders of ids: of a reference by its tree and number, whatever entity of the tree it names, of another id
/// by its bytes.
struct LabelTable<Holder> {
  private struct Name: Hashable {
    let tree: Int
    let bytes: [UInt8]
  }

  /// By entity: the root of its tree.
  private let roots: [Int]
  private var references: [PackedReference: Holder] = [:]
  private var names: [Name: Holder] = [:]

  init(roots: [Int]) { self.roots = roots }

  var count: Int { references.count + names.count }

  /// Makes room for ids like one that is passed.
  mutating func reserveCapacity(_ count: Int, like label: ImportTarget) {
    switch label {
    case .reference: references.reserveCapacity(count)
    case .label: names.reserveCapacity(count)
    case .nothing, .lookup: break
    }
  }

  mutating func removeAll() {
    references.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
  }

  /// The holder of an id.
  subscript(label: ImportTarget) -> Holder? {
    switch label {
    case .reference(let entity, let number):
      references[PackedReference(entity: roots[entity], key: number)]
    case .label(let tree, let bytes): names[Name(tree: tree, bytes: bytes)]
    case .nothing, .lookup: nil
    }
  }

  /// Assigns an id to a holder.
  ///
  /// - Returns: the holder that had it.
  @discardableResult
  mutating func update(_ holder: Holder, for label: ImportTarget) -> Holder? {
    switch label {
    case .reference(let entity, let number):
      references.updateValue(holder, forKey: PackedReference(entity: roots[entity], key: number))
    case .label(let tree, let bytes): names.updateValue(holder, forKey: Name(tree: tree, bytes: bytes))
    case .nothing, .lookup: nil
    }
  }
}
