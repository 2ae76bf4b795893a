import GraphStoreModel

/// Statistics of a store that is in memory as a whole: what its objects hold, without files and indexes.
struct DocumentStatistics {
  private let layouts: [EntityLayout]
  private let model: ManagedObjectModel
  private let entities: StoredEntities
  private let state: InMemoryState

  /// - Throws: `not-supported` for a store of a type that is none.
  init(_ store: any PersistentStore) throws {
    guard let document = store as? DocumentStore else {
      throw GraphStoreError(
        .notSupported, "\(store.path) is of type \(store.typeName), of which there are no statistics.",
        remedy: "Count its objects with count, or group them with fetch.")
    }
    (layouts, entities) = (document.layout.entities, document.entities)
    model = document.layout.model
    state = try document.base.database.snapshot()
  }

  /// - Throws: `unknown-entity`.
  func read(entity name: String?) throws -> [EntityStatistics] {
    let held = layouts.map(\.entity).filter { !$0.isAbstract && entities.contains($0) }
    let wanted = try StoreStatistics.wanted(name, among: held, of: model)
    return try wanted.map { try statistics(of: layouts[$0.index]) }
  }

  private func statistics(of layout: EntityLayout) throws -> EntityStatistics {
    let parts = layout.properties.filter(\.isPersistent).flatMap { $0.relationship < 0 ? $0.leaves : [$0] }
      .filter { $0.slot >= 0 }
    var (rows, bytes) = (0, [Int](repeating: 0, count: parts.count))
    var missing = bytes
    var distinct = [Set<[UInt8]>](repeating: [], count: parts.count)
    try state.scan(layout.rootIndex) { _, row in
      guard row.layout === layout else { return true }
      rows += 1
      for (position, part) in parts.enumerated() {
        guard row.hasValue(of: part) else {
          missing[position] += 1
          continue
        }
        let data = part.kind == .external ? try row.externalData(of: part) : nil
        distinct[position].insert(data.map(Array.init) ?? row.claim([part]) ?? [])
        bytes[position] += data?.count ?? size(of: part, row)
      }
      return true
    }
    return EntityStatistics(
      name: layout.entity.name, rows: rows, fileBytes: nil, indexCount: 0, isAnalyzed: false,
      properties: parts.indices.map {
        PropertyStatistics(
          name: parts[$0].name, bytes: bytes[$0], missing: missing[$0], distinct: distinct[$0].count,
          indexes: [])
      })
  }

  /// The bytes of a value: those of texts and data, and 8 of whatever else has a slot of its own.
  private func size(of part: PropertyLayout, _ row: Row) -> Int {
    switch part.kind {
    case .string, .uri, .uuid, .binary, .transformable: unsafe row.block.bytes(row.index, part.slot).count
    default: 8
    }
  }
}
