/// Losses of a damaged store that was read as far as it can be: what is missing in what was read.
package struct SalvageLosses {
  /// Numbers of identifiers whose records cannot be read; whether there were records of all of them is not
  /// known.
  package struct Records {
    /// The root entity of the tree.
    package let entityName: String
    /// In ascending order, none beside another.
    package fileprivate(set) var keys: [ClosedRange<Int64>]

    /// How many numbers they are.
    package var count: Int64 { keys.reduce(0) { $0 + $1.upperBound - $1.lowerBound + 1 } }
  }

  /// Values, or lists of members, of records that can be read otherwise.
  package struct Values {
    /// The property, such as `Employee.photo`.
    package let property: String
    /// The identifiers of the first few records.
    package fileprivate(set) var examples: [String]
    package fileprivate(set) var count: Int
  }

  /// The most records that are named.
  private static let exampleCount = 5

  package private(set) var records: [Records] = []
  package private(set) var values: [Values] = []

  /// Whether everything could be read.
  package var isEmpty: Bool { records.isEmpty && values.isEmpty }

  /// Adds numbers behind those that were added of the tree before.
  mutating func add(keys: ClosedRange<Int64>, ofTree entityName: String) {
    guard records.last?.entityName == entityName, let last = records[records.count - 1].keys.last else {
      return records.append(Records(entityName: entityName, keys: [keys]))
    }
    if last.upperBound == keys.lowerBound - 1 {
      records[records.count - 1].keys.removeLast()
      records[records.count - 1].keys.append(last.lowerBound...keys.upperBound)
    } else {
      records[records.count - 1].keys.append(keys)
    }
  }

  /// Adds a value, or the members of a relationship, of one record.
  mutating func add(property: String, of record: String) {
    let place = values.firstIndex { $0.property == property } ?? values.count
    if place == values.count { values.append(Values(property: property, examples: [], count: 0)) }
    values[place].count += 1
    if values[place].examples.count < Self.exampleCount { values[place].examples.append(record) }
  }
}
