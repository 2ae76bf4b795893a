import GraphStoreModel

/// Bit mask of an entity's properties in the column `ZCOLUMNS` of a history, as Core Data lays it out.
///
/// A bit stands for a column of the entity, or for a to-many relationship. The first is the most significant
/// one of the first byte: to-ones by name; the numbers of their destinations' entities, where these have
/// columns; the places among ordered members, where these have columns, in the order of the table; attributes
/// by name; to-manys with an inverse to-one, or none; many-to-many relationships.
struct HistoryColumnMask: Sendable {
  /// By bit, the number of the property.
  private let properties: [Int]
  /// By property number, the first bit; -1 for a property that no store keeps.
  private let bits: [Int]

  init(_ entity: SQLEntity) {
    let kept = entity.entity.properties.filter { !$0.isTransient }
    let relationships = kept.compactMap { $0 as? RelationshipDescription }
    let toOnes = relationships.filter { !$0.isToMany }.sorted { SQLName.precedes($0.name, $1.name) }
    let toManys = relationships.filter(\.isToMany)
    let attributes = kept.compactMap { $0 as? AttributeDescription }
      .sorted { SQLName.precedes($0.name, $1.name) }
    let table = HistoryNameTable(of: entity, toOnes: toOnes.count)
    let groups: [[PropertyDescription]] = [
      toOnes, toOnes.filter { entity.storage(of: $0).hasEntityNumber },
      toOnes.compactMap { toOne in entity.storage(of: toOne).order.map { (toOne, $0.index) } }
        .sorted { $0.1 < $1.1 }.map(\.0),
      attributes, table.order(toManys.filter { $0.inverse?.isToMany != true }),
      table.order(toManys.filter { $0.inverse?.isToMany == true }),
    ]
    properties = groups.flatMap { $0.map(\.number) }
    var bits = [Int](repeating: -1, count: entity.entity.properties.count)
    for (bit, number) in properties.enumerated() where bits[number] < 0 { bits[number] = bit }
    self.bits = bits
  }

  /// The number of bytes.
  var byteCount: Int { (properties.count + 7) / 8 }

  /// The mask of changed properties. Whether the entity of a destination has changed with its key is not
  /// said.
  func bytes(_ changed: PropertySet) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    changed.forEach { number in
      guard bits.indices.contains(number), bits[number] >= 0 else { return }
      bytes[bits[number] / 8] |= 0x80 >> UInt8(bits[number] % 8)
    }
    return bytes
  }

  /// The properties that a mask names; bits beyond the entity's are passed over.
  func properties(in bytes: UnsafeRawBufferPointer) -> PropertySet {
    var changed = PropertySet()
    for (bit, number) in properties.enumerated() where bit / 8 < bytes.count {
      if unsafe bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 { changed.insert(number) }
    }
    return changed
  }
}

extension SQLPropertyStorage {
  fileprivate var hasEntityNumber: Bool {
    if case .toOne(_, let entity?, _) = self { _ = entity; return true }
    return false
  }

  fileprivate var order: SQLColumn? {
    if case .toOne(_, _, let order) = self { order } else { nil }
  }
}

/// Hash table with open addressing of an entity's names, whose order of enumeration Core Data gives to the
/// to-manys of a mask.
///
/// Size, hash function and probing are those that explain the masks of real stores. Where names collide, the
/// order in which they were put in decides, which no store tells: they are put in by name.
private struct HistoryNameTable {
  private static let sizes: [(capacity: Int, size: Int)] = [
    (3, 3), (6, 7), (11, 13), (19, 23), (32, 41), (52, 71), (85, 127), (118, 191), (155, 251),
    (237, 383), (390, 631), (672, 1087), (1065, 1723),
  ]

  /// The rank of each name.
  private let ranks: [String: Int]

  init(of entity: SQLEntity, toOnes: Int) {
    let names = entity.entity.properties.filter { !$0.isTransient }.map(\.name).sorted(by: SQLName.precedes)
    var companions = 0
    for property in entity.entity.properties {
      let storage = entity.storage(of: property)
      companions += (storage.hasEntityNumber ? 1 : 0) + (storage.order == nil ? 0 : 1)
    }
    // Key, entity and version have entries too, and to-ones two.
    let count = names.count + 3 + toOnes + companions
    let size = Self.sizes.first(where: { count <= $0.capacity })?.size ?? count * 2 + 1
    var buckets = [String?](repeating: nil, count: size)
    for name in names {
      var bucket = Int(Self.hash(name) % UInt64(size))
      while buckets[bucket] != nil { bucket = (bucket + 1) % size }
      buckets[bucket] = name
    }
    var ranks: [String: Int] = [:]
    for (bucket, name) in buckets.enumerated() { if let name { ranks[name] = bucket } }
    self.ranks = ranks
  }

  func order(_ relationships: [RelationshipDescription]) -> [RelationshipDescription] {
    relationships.sorted { ranks[$0.name, default: 0] < ranks[$1.name, default: 0] }
  }

  /// The polynomial hash of a text's UTF-16 units, four at a time.
  private static func hash(_ text: String) -> UInt64 {
    let units = text.utf16.map { UInt64($0) }
    var hash = UInt64(units.count)
    var position = 0
    while position + 4 <= units.count {
      hash = hash &* 67_503_105 &+ units[position] &* 16_974_593 &+ units[position + 1] &* 66_049
      hash = hash &+ units[position + 2] &* 257 &+ units[position + 3]
      position += 4
    }
    for unit in units[position...] { hash = hash &* 257 &+ unit }
    return hash &+ hash << UInt64(units.count & 31)
  }
}
