import Foundation

/// Changes that one save writes to one store.
package struct SaveRequest {
  /// A new row.
  package struct Insertion {
    package let row: Row
    package let key: Int64
  }

  /// A changed row; only the named columns are written.
  package struct Update {
    /// The object's own row, which has no other reader; its version is the one that the stored record has to
    /// have.
    package let row: Row
    package let key: Int64
    /// The row as it was fetched or last saved.
    package let committed: Row
    /// The numbers of the changed properties, and of the changed elements of composite attributes among
    /// ``EntityLayout/fields``.
    package let changed: PropertySet
  }

  /// The row of a record as it was fetched.
  package struct FetchedRow {
    package let key: Int64
    package let row: Row

    package init(key: Int64, row: Row) {
      self.key = key
      self.row = row
    }
  }

  /// The records of one entity tree that are deleted.
  package struct Deletion {
    package let root: EntityLayout
    package var keys: [Int64] = []
    /// The rows of those that were fetched.
    package var committed: [FetchedRow] = []
  }

  /// Records of one entity tree that are not written, and must be what they were when they were fetched.
  package struct Locked {
    package let root: EntityLayout
    package let rows: [FetchedRow]
  }

  /// Links of a to-many that is stored in a table of its own.
  package struct LinkChange {
    package let relationship: RelationshipLayout
    package let owner: Int64
    package let added: [Int64]
    package let removed: [Int64]
  }

  /// A to-many of a record that stays, whose links to deleted records are removed with these: a table of its
  /// own has them.
  package struct LostMembers {
    package let relationship: RelationshipLayout
    package let owner: Int64
  }

  /// New order values of members of an ordered to-many.
  package struct OrderChange {
    package let relationship: RelationshipLayout
    package let owner: Int64
    package let orders: [(member: Int64, order: Int64)]
    /// Whether the owner is new, so that no other writer has added members to it.
    package let isOwnerNew: Bool
    /// Members to be appended after all stored ones, in this order. A member whose link may be stored already
    /// keeps the place that it has unless it has left and joined again.
    package let appended: [(member: Int64, hasLeft: Bool)]
    /// All members in their order, as the context has them; nil where it has not read them, and for stores
    /// that keep order values.
    package var members: [Int64]?

    /// The places of all members that an owner has in another store, in their order.
    package static func copied(
      _ members: [Int64], of relationship: RelationshipLayout, owner: Int64
    ) -> OrderChange {
      let orders = members.enumerated().map { position, member in
        (member: member, order: OrderKeys.first + Int64(position) * OrderKeys.step)
      }
      return OrderChange(
        relationship: relationship, owner: owner, orders: orders, isOwnerNew: true, appended: [])
    }
  }

  /// A relationship of deleted records through which another writer may have added a phantom: a member that
  /// was not there when the delete rules were applied; or a one-to-one relationship of changed records, to
  /// which others may refer than those that the context knew.
  package struct PhantomCheck {
    /// Cause of the save's change of the owners.
    package enum Cause { case deletion, changeOfPartner }

    package let relationship: RelationshipLayout
    package let cause: Cause
    package var owners: [Int64] = []
    /// By owner with a changed partner: the one record that its row names, and that has to refer to it; 0 for
    /// none.
    package var partners: [Int64: Int64] = [:]
    /// By deleted owner: members of a table of pairs that have left in this save.
    package var removed: [Int64: Set<Int64>] = [:]
  }

  /// The time of the save, which is the same in all stores (MDL-176).
  package var date = Date()
  /// Whether the insertions are rows of another store, with derived values that are written as they are.
  package var isCopy = false
  /// The author of the save, by the context that makes it, for a history.
  package var author: String?
  /// The name of the context that makes it, for a history.
  package var contextName: String?
  package var insertions: [Insertion] = []
  package var updates: [Update] = []
  package var deletions: [Deletion] = []
  package var locked: [Locked] = []
  package var links: [LinkChange] = []
  package var lostMembers: [LostMembers] = []
  package var orders: [OrderChange] = []
  package var phantomChecks: [PhantomCheck] = []
  /// By entity tree: stored owners of changed to-manys of which no column changes; only their versions rise.
  package var touched: [Int: [Int64]] = [:]
  /// The permanent keys of objects that have temporary ones, by those.
  package var permanentKeys = PermanentKeyMap()

  package var isEmpty: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && links.isEmpty && orders.isEmpty
      && touched.isEmpty
  }
}

/// The permanent keys of a save's inserted objects, by their temporary ones.
package struct PermanentKeyMap {
  private var first: Int64 = 0
  private var keys: [Int64] = []

  package init() {}

  /// For temporary keys of a span; they are handed out in sequence, so a span holds few that are not of this
  /// save.
  package init(from newest: Int64, through oldest: Int64) {
    first = oldest
    keys = [Int64](repeating: 0, count: Int(oldest - newest) + 1)
  }

  /// The permanent key for any key: itself if it is one already, 0 for a temporary one that is not of this
  /// save.
  package subscript(key: Int64) -> Int64 {
    get {
      guard key < 0 else { return key }
      let position = first - key
      return position >= 0 && position < keys.count ? keys[Int(position)] : 0
    }
    set { keys[Int(first - key)] = newValue }
  }

  /// The number of temporary keys in the span.
  package var count: Int { keys.count }

  /// Hands over each temporary key of the save with its permanent one.
  package func forEach(_ body: (_ temporaryKey: Int64, _ key: Int64) -> Void) {
    for (position, key) in keys.enumerated() where key > 0 { body(first - Int64(position), key) }
  }
}
