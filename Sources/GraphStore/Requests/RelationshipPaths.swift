/// The relationships that key paths follow from a record, as a tree in which paths that begin alike share
/// their steps.
///
/// Where memory evaluates an expression over many records, what these lead to is read for many of them
/// together (FET-296), and not one by one as the evaluation comes to it.
package struct RelationshipPaths: Sendable {
  /// One relationship, and what is followed from its destinations.
  package struct Step: Sendable {
    package let name: String
    /// Whether values of the destinations are read; else only which they are, or how many.
    package fileprivate(set) var readsRows: Bool
    package fileprivate(set) var rest = RelationshipPaths()
  }

  package private(set) var steps: [Step] = []

  /// The most records whose destinations are read together.
  package static let mostRecords = 1024
  /// From how many destinations on fewer records are taken next: what was read for them is in memory
  /// meanwhile.
  private static let manyDestinations = 16_384

  /// For how many records at first, so that little is read in vain where these are all that is wanted.
  package static let firstRecords = 64

  /// For how many records next, after some whose destinations were read together.
  package static func nextRecords(after records: Int, withDestinations destinations: Int) -> Int {
    destinations > manyDestinations ? max(records / 2, 1) : min(2 * records, mostRecords)
  }

  package init() {}

  package var isEmpty: Bool { steps.isEmpty }

  /// Adds a path.
  ///
  /// - Parameter readsRows: Whether values of its last destinations are read.
  package mutating func insert(_ names: ArraySlice<String>, readsRows: Bool) {
    guard let name = names.first else { return }
    let position = steps.firstIndex { $0.name == name } ?? steps.count
    if position == steps.count { steps.append(Step(name: name, readsRows: false)) }
    let rest = names.dropFirst()
    steps[position].readsRows = steps[position].readsRows || readsRows || !rest.isEmpty
    steps[position].rest.insert(rest, readsRows: readsRows)
  }
}
