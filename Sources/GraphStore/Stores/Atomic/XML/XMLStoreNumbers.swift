import GraphStoreModel

/// Numbers of objects in an XML store, which has one sequence of them where a store has one for each entity
/// tree: an object has its key as its number; where objects of several trees have the same key, as in a copy
/// of a store of another type, the first does, and the others have the least numbers that are free.
struct XMLStoreNumbers {
  /// Record of an entity tree.
  private struct Record: Hashable {
    let root: Int
    let key: Int64
  }

  /// Those whose number is not their key.
  private var others: [Record: Int64] = [:]
  /// The greatest number that was ever given to an object.
  private(set) var last: Int64

  init(_ content: AtomicContent) {
    last = content.lastKeys.max() ?? 0
    var taken: Set<Int64> = []
    var late: [Record] = []
    let take: (Record) -> Void = { if !taken.insert($0.key).inserted { late.append($0) } }
    content.forEachObject { key, row in take(Record(root: row.layout.rootIndex, key: key)) }
    for record in Self.missing(content) { take(record) }
    var free: Int64 = 1
    for record in late {
      while !taken.insert(free).inserted { free += 1 }
      others[record] = free
      last = max(last, free)
    }
  }

  /// The number of a record.
  func number(_ root: Int, _ key: Int64) -> Int64 {
    others.isEmpty ? key : others[Record(root: root, key: key)] ?? key
  }

  /// What links lead to though it is not there.
  private static func missing(_ content: AtomicContent) -> [Record] {
    var found: [Record] = []
    var seen: Set<Record> = []
    content.forEachObject { _, row in
      for relationship in row.layout.relationships where relationship.isPersistent && relationship.mayDangle {
        guard let reference = row.reference(relationship.slot) else { continue }
        let root = content.layout.entities[reference.entity].rootIndex
        guard content.state.row(root, reference.key) == nil else { continue }
        let record = Record(root: root, key: reference.key)
        if seen.insert(record).inserted { found.append(record) }
      }
    }
    return found
  }
}
