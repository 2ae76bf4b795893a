import GraphStoreModel

/// The attributes by which objects of some entities are known in two stores.
struct ComparisonKeys {
  /// By position in the first model: the columns of the key.
  private var columns: [[ComparedColumn]?]
  private let roots: Set<String>

  /// None: all objects are known by their identifiers.
  static let none = ComparisonKeys()

  private init() { (columns, roots) = ([], []) }

  /// - Throws: `unknown-key` for what is no attribute of the entity in both stores.
  init(_ keys: [String: [String]], _ entities: [ComparedEntity?]) throws {
    columns = [[ComparedColumn]?](repeating: nil, count: entities.count)
    var roots: Set<String> = []
    for (position, entity) in entities.enumerated() {
      guard let entity, let names = Self.names(for: entity.old.entity, keys) else { continue }
      columns[position] = try names.map { try Self.column(named: $0, of: entity) }
      roots.insert(entity.old.entity.rootEntity.name)
    }
    self.roots = roots
  }

  var isEmpty: Bool { roots.isEmpty }

  func concerns(_ root: EntityDescription) -> Bool { roots.contains(root.name) }

  /// The columns of an entity's key; nil for one whose objects are known by their identifiers.
  func columns(ofEntityAt position: Int) -> [ComparedColumn]? { columns[position] }

  /// The names for an entity: its own, or those of the nearest entity above it.
  private static func names(for entity: EntityDescription, _ keys: [String: [String]]) -> [String]? {
    sequence(first: entity, next: \.superentity).lazy.compactMap { keys[$0.name] }.first
  }

  private static func column(named name: String, of entity: ComparedEntity) throws -> ComparedColumn {
    let attributes = entity.columns.filter { column in
      switch column.comparison {
      case .words, .doubles, .bytes, .decimals: true
      case .data, .references, .members: false
      }
    }
    if let column = attributes.first(where: { $0.name == name }) { return column }
    let names = attributes.map(\.name)
    var error = GraphStoreError(
      .unknownKey, "\(entity.old.entity.name) has no attribute \(name) in both stores that can be a key.",
      remedy: "It has \(names.joined(separator: ", ")).", entity: entity.old.entity.name, property: name)
    error.suggestions = NearestNames.names(near: name, among: names)
    throw error
  }
}

/// Which objects of a tree are the same in two stores, by the keys of their entities; those of entities
/// without a key by their identifiers.
struct KeyMatches {
  /// The numbers of the second store's objects by those of the first one's.
  private(set) var counterparts: [Int64: Int64] = [:]
  /// The numbers of the second store's objects that have a counterpart.
  private(set) var matched: Set<Int64> = []

  /// The values of a key, with the entity.
  private struct Claim: Hashable {
    let entity: String
    let values: [UInt8]
  }

  /// - Throws: `not-unique` where two objects of one store have the same key.
  init(_ root: EntityDescription, _ other: EntityDescription, _ comparison: StoreComparison) throws {
    var holders: [Claim: Int64] = [:]
    var plain: [Int64: String] = [:]
    let positions = Dictionary(uniqueKeysWithValues: comparison.old.names.enumerated().map { ($1, $0) })
    func columns(_ object: StoredObject) -> [ComparedColumn]? {
      positions[object.entityName].flatMap { comparison.keys.columns(ofEntityAt: $0) }
    }
    try comparison.new.forEachObject(ofTree: other) { object in
      guard let columns = columns(object) else { return plain[object.key] = object.entityName }
      let properties = columns.map { object.shape.columns[$0.new].property }
      guard let values = object.row.claim(properties) else { return }
      if let holder = holders.updateValue(
        object.key, forKey: Claim(entity: object.entityName, values: values))
      {
        throw Self.repeated(object, holder, columns, comparison.new)
      }
    }
    var taken: Set<Claim> = []
    try comparison.old.forEachObject(ofTree: root) { object in
      guard let columns = columns(object) else {
        if plain[object.key] == object.entityName { match(object.key, object.key) }
        return
      }
      let properties = columns.map { object.shape.columns[$0.old].property }
      guard let values = object.row.claim(properties) else { return }
      let claim = Claim(entity: object.entityName, values: values)
      guard taken.insert(claim).inserted else {
        throw Self.repeated(object, nil, columns, comparison.old)
      }
      if let holder = holders[claim] { match(object.key, holder) }
    }
  }

  private mutating func match(_ old: Int64, _ new: Int64) {
    counterparts[old] = new
    matched.insert(new)
  }

  private static func repeated(
    _ object: StoredObject, _ holder: Int64?, _ columns: [ComparedColumn], _ contents: StoreContents
  ) -> GraphStoreError {
    let names = columns.map(\.name).joined(separator: ", ")
    let other = holder.map { "\(object.entityName)/p\($0)" } ?? "another object"
    return GraphStoreError(
      .notUnique, "\(object.name) and \(other) of \(contents.path) have the same \(names).",
      remedy: "Name attributes whose values are different in all objects.", entity: object.entityName,
      property: columns.first?.name)
  }
}
