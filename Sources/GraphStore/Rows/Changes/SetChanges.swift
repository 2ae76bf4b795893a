/// Changes of a batch request that no rows of a commit's request say.
package struct SetChanges {
  /// New records of one entity, whose keys follow each other.
  package struct Inserted {
    package let layout: EntityLayout
    package var keys: Range<Int64>
  }

  /// Records of one entity of which the same properties were written.
  package struct Updated {
    package let layout: EntityLayout
    package var keys: [Int64]
    package let properties: PropertySet
  }

  package private(set) var inserted: [Inserted] = []
  package private(set) var updated: [Updated] = []

  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty }

  /// Adds new records, behind those of one entity that they follow.
  package mutating func insert(_ layout: EntityLayout, _ keys: Range<Int64>) {
    if let last = inserted.last, last.layout === layout, last.keys.upperBound == keys.lowerBound {
      inserted[inserted.count - 1].keys = last.keys.lowerBound..<keys.upperBound
    } else if !keys.isEmpty {
      inserted.append(Inserted(layout: layout, keys: keys))
    }
  }

  /// Adds written records of one entity.
  package mutating func update(_ layout: EntityLayout, _ keys: [Int64], _ properties: PropertySet) {
    if !keys.isEmpty { updated.append(Updated(layout: layout, keys: keys, properties: properties)) }
  }

  /// Adds a written record, to the others of its entity with these properties where they were added last.
  package mutating func update(_ layout: EntityLayout, _ key: Int64, _ properties: PropertySet) {
    if let last = updated.last, last.layout === layout, last.properties == properties {
      updated[updated.count - 1].keys.append(key)
    } else {
      updated.append(Updated(layout: layout, keys: [key], properties: properties))
    }
  }
}
