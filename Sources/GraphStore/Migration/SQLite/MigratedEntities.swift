import GraphStoreModel

/// Entities of two stores' tables that continue each other.
struct MigratedEntities {
  /// An entity whose rows are taken, and the one whose rows they become.
  struct Pair {
    let source: SQLEntity
    let destination: SQLEntity
  }

  /// Entities of one new table whose rows are copied from one old table.
  struct Group {
    let source: SQLTable
    let destination: SQLTable
    var pairs: [Pair]

    /// The numbers of the old entities.
    var numbers: [Int] { pairs.map(\.source.number).sorted() }
  }

  let source: SQLSchema
  let destination: SQLSchema
  let pairing: any MigrationPairing

  /// The pairs whose objects are copied, in the order of the new numbers. Abstract entities have none.
  var pairs: [Pair] {
    destination.numberedEntities.compactMap { entity in
      guard !entity.entity.isAbstract, let origin = origin(of: entity) else { return nil }
      return Pair(source: origin, destination: entity)
    }
  }

  /// The pairs by their tables.
  var groups: [Group] {
    var groups: [Group] = []
    for pair in pairs {
      let position = groups.firstIndex {
        $0.source === pair.source.table && $0.destination === pair.destination.table
      }
      if let position {
        groups[position].pairs.append(pair)
      } else {
        groups.append(Group(source: pair.source.table, destination: pair.destination.table, pairs: [pair]))
      }
    }
    return groups
  }

  /// The old entity that a new one continues, of which the old store can have rows.
  func origin(of entity: SQLEntity) -> SQLEntity? {
    guard let origin = pairing.source(of: entity.entity).map(source.entity), origin.number > 0 else {
      return nil
    }
    return origin
  }

  /// The new entities that an old one became, of which the new store can have rows.
  func successors(of entity: SQLEntity) -> [SQLEntity] {
    pairing.destinations(of: entity.entity).map(destination.entity).filter { $0.number > 0 }
  }

  /// Objects of an old family that a new relationship may lead to.
  struct Members {
    /// The new number by the old one, of those that it may lead to.
    var kept: [Int: Int] = [:]
    /// The old numbers of objects that are there in the new store, but are not what the relationship leads
    /// to.
    var strangers: [Int] = []
    /// Whether every object of the family is kept.
    var isComplete = true

    /// The old numbers of those that are kept.
    var numbers: [Int] { kept.keys.sorted() }
  }

  func members(of family: EntityDescription, leadingTo target: EntityDescription) -> Members {
    var members = Members()
    for entity in family.family.map(source.entity) where entity.number > 0 && !entity.entity.isAbstract {
      let successors = successors(of: entity)
      if let successor = successors.first(where: { $0.entity.isKind(of: target) }) {
        members.kept[entity.number] = successor.number
      } else {
        members.isComplete = false
        if !successors.isEmpty { members.strangers.append(entity.number) }
      }
    }
    return members
  }
}
