/// Changes of a batch request that no rows of a commit's request say.
struct SetChanges {
  /// New records of one entity, whose keys follow each other.
  struct Inserted {
    let layout: EntityLayout
    var keys: Range<Int64>
  }

  /// Records of one entity of which the same properties were written.
  struct Updated {
    let layout: EntityLayout
    var keys: [Int64]
    let properties: PropertySet
  }

  private(set) var inserted: [Inserted] = []
  private(set) var updated: [Updated] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty }

  /// Adds new records, behind those of one entity that they follow.
  mutating func insert(_ layout: EntityLayout, _ keys: Range<Int64>) {
    if let last = inserted.last, last.layout === layout, last.keys.upperBound == keys.lowerBound {
      inserted[inserted.count - 1].keys = last.keys.lowerBound..<keys.upperBound
    } else if !keys.isEmpty {
      inserted.append(Inserted(layout: layout, keys: keys))
    }
  }

  /// Adds written records of one entity.
  mutating func update(_ layout: EntityLayout, _ keys: [Int64], _ properties: PropertySet) {
    if !keys.isEmpty { updated.append(Updated(layout: layout, keys: keys, properties: properties)) }
  }

  /// Adds a written record, to the others of its entity with these properties where they were added last.
  mutating func update(_ layout: EntityLayout, _ key: Int64, _ properties: PropertySet) {
    if let last = updated.last, last.layout === layout, last.properties == properties {
      updated[updated.count - 1].keys.append(key)
    } else {
      updated.append(Updated(layout: layout, keys: [key], properties: properties))
    }
  }
}
