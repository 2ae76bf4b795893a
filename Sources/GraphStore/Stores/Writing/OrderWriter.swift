import GraphStoreModel

/// Storage of the order values of the members of one owner.
package protocol OrderStorage {
  /// Whether links are written from the owner's side, so that one may be there already.
  var isPaired: Bool { get }

  func greatestOrder() throws -> Int64?
  /// The members that have order values, in order: those at some places, or all.
  func members(at places: Set<Int64>?) throws -> [(member: Int64, order: Int64)]
  /// Sets the order values of linked members; with `keepingStored`, those alone that have none.
  func write(_ orders: [(member: Int64, order: Int64)], keepingStored: Bool) throws
}

/// Writes the order values of the members of one owner of an ordered to-many relationship.
package struct OrderWriter<Storage: OrderStorage> {
  private let storage: Storage
  private let change: SaveRequest.OrderChange

  package init(_ storage: Storage, _ change: SaveRequest.OrderChange) {
    self.storage = storage
    self.change = change
  }

  package func run() throws {
    var orders = change.orders
    var unplaced: [(member: Int64, order: Int64)] = []
    if !change.appended.isEmpty {
      var last = try greatestOrder()
      for (member, hasLeft) in change.appended {
        let order = last.map { $0 + OrderKeys.step } ?? OrderKeys.first
        if hasLeft || !storage.isPaired {
          orders.append((member, order))
        } else {
          unplaced.append((member, order))
        }
        last = order
      }
    }
    if !change.orders.isEmpty, !change.isOwnerNew { try makeRoom() }
    try write(orders, keepingStored: false)
    // For a link that may have been stored, the place that it has counts.
    try write(unplaced, keepingStored: true)
  }

  private func write(_ orders: [(member: Int64, order: Int64)], keepingStored: Bool) throws {
    if !orders.isEmpty { try storage.write(orders, keepingStored: keepingStored) }
  }

  private func greatestOrder() throws -> Int64? {
    let last = try storage.greatestOrder()
    if let last, !StoredKey.orders.contains(last) {
      throw GraphStoreError(
        .storeCorrupt,
        "\(change.relationship.description) has a member at the place \(last), behind which none fits.",
        remedy: "Check the store, and restore a backup.")
    }
    return last
  }

  /// Moves members that another writer has put at the places to be written: each to the next free one, so
  /// that the order values that the context knows stay true. Without such members, nearly always, no other
  /// row of the owner is read.
  private func makeRoom() throws {
    let written = Set(change.orders.map(\.order))
    let own = Set(change.orders.map(\.member))
    var displaced = try storage.members(at: written).filter { !own.contains($0.member) }
    guard !displaced.isEmpty else { return }
    var taken = Set(try storage.members(at: nil).filter { !own.contains($0.member) }.map(\.order))
      .union(written)
    for index in displaced.indices {
      while !taken.insert(displaced[index].order).inserted { displaced[index].order += 1 }
    }
    try write(displaced, keepingStored: false)
  }
}
