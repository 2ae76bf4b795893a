import GraphStoreModel

/// The numbers that entities get in a new store.
enum SQLEntityNumbers {
  /// Numbers by ``EntityDescription/index``: from 1, depth first, roots and sub-entities each by name without regard
  /// to case (STO-227); 0 for entities that the store does not hold.
  static func numbers(of stored: StoredEntities) -> [Int] {
    let model = stored.model
    var numbers = Array(repeating: 0, count: model.entities.count)
    var next = 1
    // A list of its own instead of recursion: how deep entities nest is up to the model.
    var pending = Array(sorted(model.entities.filter { $0.superentity == nil }).reversed())
    while let entity = pending.popLast() {
      if stored.contains(entity) {
        numbers[entity.index] = next
        next += 1
      }
      pending += sorted(entity.subentities).reversed()
    }
    return numbers
  }

  private static func sorted(_ entities: [EntityDescription]) -> [EntityDescription] {
    entities.map { ($0.name.lowercased(), $0) }
      .sorted { $0.0 == $1.0 ? SQLName.precedes($0.1.name, $1.1.name) : SQLName.precedes($0.0, $1.0) }
      .map(\.1)
  }
}
