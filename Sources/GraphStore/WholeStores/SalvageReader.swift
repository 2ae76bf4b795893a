import GraphStoreModel

/// Reader of a damaged store, which leaves out what cannot be read and records what that was.
///
/// A statement that meets a damaged page ends there, so the keys behind the last record that it gave are
/// halved until what is damaged is alone: the other halves can be read. Of a single record the columns are
/// tried one by one, since it may be the page of one large value that is gone.
final class SalvageReader {
  /// Beyond so many statements that failed the rest of a range is given up as a whole.
  private static let mostFailures = 200_000
  /// The key of the first record of a tree.
  private static let leastKey: Int64 = 1
  /// Taken for the greatest key of a tree whose counter cannot be read.
  static let assumedGreatestKey: Int64 = 1 << 32

  private let session: any ReadSession
  private let layouts: [EntityLayout]
  private(set) var losses = SalvageLosses()
  private var failures = 0

  init(_ session: any ReadSession, _ layouts: [EntityLayout]) {
    self.session = session
    self.layouts = layouts
  }

  // MARK: Records

  /// Hands over the records of an entity tree that can be read, in the order of their keys.
  ///
  /// - Parameter greatest: The greatest key that there can be.
  func forEachBatch(
    ofTree root: EntityLayout, keys: ClosedRange<Int64>, greatest: Int64,
    _ receive: ([(key: Int64, row: Row)]) throws -> Void
  ) throws {
    let start = max(keys.lowerBound, min(Self.leastKey, keys.upperBound))
    let end = min(keys.upperBound, max(greatest, start))
    // There should be none before and behind; what cannot be read there is no loss.
    if keys.lowerBound < start { _ = try stream(request(root, keys.lowerBound...start - 1), receive) }
    try read(root, start...end, receive)
    if end < keys.upperBound { _ = try stream(request(root, end + 1...keys.upperBound), receive) }
  }

  private func read(
    _ root: EntityLayout, _ keys: ClosedRange<Int64>, _ receive: ([(key: Int64, row: Row)]) throws -> Void
  ) throws {
    // By a stack, since a recursion would be as deep as there are damaged places.
    var waiting = [keys]
    while let range = waiting.popLast() {
      let end = try stream(request(root, range), receive)
      guard !end.isWhole else { continue }
      guard end.last != range.upperBound else { continue }
      let first = end.last.map { $0 + 1 } ?? range.lowerBound
      failures += 1
      if first == range.upperBound {
        try readColumns(of: first, root, receive)
      } else if failures > Self.mostFailures {
        losses.add(keys: first...range.upperBound, ofTree: root.entity.name)
      } else {
        let middle = first + (range.upperBound - first) / 2
        waiting.append(middle + 1...range.upperBound)
        waiting.append(first...middle)
      }
    }
  }

  private func request(
    _ root: EntityLayout, _ keys: ClosedRange<Int64>, _ output: StoreRequest.Output = .rows
  ) -> StoreRequest {
    var request = StoreRequest(entityName: root.entity.name, output)
    request.keys = keys
    request.inMemoryEvaluation = .refused
    return request
  }

  /// Reads as far as it goes.
  ///
  /// - Returns: Whether that was to the end, and the last key that was handed over.
  private func stream(
    _ request: StoreRequest, _ receive: ([(key: Int64, row: Row)]) throws -> Void
  ) throws -> (isWhole: Bool, last: Int64?) {
    var last: Int64?
    var refusal: (any Error)?
    do {
      try session.plan(request).rows { batch in
        var records: [(key: Int64, row: Row)] = []
        records.reserveCapacity(batch.count)
        batch.forEach { records.append(($0, $1)) }
        do { try receive(records) } catch {
          refusal = error
          throw error
        }
        last = records.last?.key ?? last
      }
      return (true, last)
    } catch {
      if let refusal { throw refusal }
      guard Self.isDamage(error) else { throw error }
      return (false, last)
    }
  }

  /// Whether an error says that something in the store cannot be read.
  private static func isDamage(_ error: any Error) -> Bool {
    guard let error = error as? GraphStoreError else { return false }
    return [.storeCorrupt, .sqlite, .externalDataMissing].contains(error.code)
  }

  // MARK: Values

  /// Hands over a record with those of its columns that can be read.
  private func readColumns(
    of key: Int64, _ root: EntityLayout, _ receive: ([(key: Int64, row: Row)]) throws -> Void
  ) throws {
    var identity: EntityLayout?
    let isThere = try stream(request(root, key...key, .partialRows([]))) { identity = $0.first?.row.layout }
    guard isThere.isWhole else { return losses.add(keys: key...key, ofTree: root.entity.name) }
    guard let layout = identity else { return }
    var readable: Set<String> = []
    for property in layout.properties where property.isPersistent {
      let isReadable = try stream(request(root, key...key, .partialRows([property.name]))) { _ in }.isWhole
      if isReadable { readable.insert(property.name) } else { add(property.name, key, layout) }
    }
    guard try stream(request(root, key...key, .partialRows(readable)), receive).isWhole else {
      return losses.add(keys: key...key, ofTree: root.entity.name)
    }
  }

  /// Records that a value, or the members of a relationship, could not be read.
  func add(_ property: String, _ key: Int64, _ layout: EntityLayout) {
    let name = layout.entity.name
    losses.add(property: "\(name).\(property)", of: "\(name)/p\(key)")
  }

  // MARK: Members

  /// The links of a to-many that can be read: where a statement fails, its owners are halved.
  func members(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [LinkRow] {
    do {
      return try session.members(relationship, owners: owners)
    } catch {
      guard Self.isDamage(error) else { throw error }
      let layout = layouts[relationship.description.entity.index]
      guard owners.count > 1 else {
        for owner in owners { add(relationship.description.name, owner, layout) }
        return []
      }
      let middle = owners.count / 2
      return try members(relationship, owners: Array(owners[..<middle]))
        + members(relationship, owners: Array(owners[middle...]))
    }
  }
}
