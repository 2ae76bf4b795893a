import Foundation

/// Changes that one save writes to one store.
struct SaveRequest {
  /// A new row.
  struct Insertion {
    let row: Row
    let key: Int64
  }

  /// A changed row; only the named columns are written.
  struct Update {
    /// The object's own row, which has no other reader; its version is the one that the stored record has to
    /// have.
    let row: Row
    let key: Int64
    /// The row as it was fetched or last saved.
    let committed: Row
    /// The numbers of the changed properties, and of the changed elements of composite attributes among
    /// ``EntityLayout/fields``.
    let changed: PropertySet
  }

  /// The row of a record as it was fetched.
  struct FetchedRow {
    let key: Int64
    let row: Row
  }

  /// The records of one entity tree that are deleted.
  struct Deletion {
    let root: EntityLayout
    var keys: [Int64] = []
    /// The rows of those that were fetched.
    var committed: [FetchedRow] = []
  }

  /// Records of one entity tree that are not written, and must be what they were when they were fetched.
  struct Locked {
    let root: EntityLayout
    let rows: [FetchedRow]
  }

  /// Links of a to-many that is stored in a table of its own.
  struct LinkChange {
    let relationship: RelationshipLayout
    let owner: Int64
    let added: [Int64]
    let removed: [Int64]
  }

  /// A to-many of a record that stays, whose links to deleted records are removed with these: a table of its
  /// own has them.
  struct LostMembers {
    let relationship: RelationshipLayout
    let owner: Int64
  }

  /// New order values of members of an ordered to-many.
  struct OrderChange {
    let relationship: RelationshipLayout
    let owner: Int64
    let orders: [(member: Int64, order: Int64)]
    /// Whether the owner is new, so that no other writer has added members to it.
    let isOwnerNew: Bool
    /// Members to be appended after all stored ones, in this order. A member whose link may be stored already
    /// keeps the place that it has unless it has left and joined again.
    let appended: [(member: Int64, hasLeft: Bool)]
    /// All members in their order, as the context has them; nil where it has not read them, and for stores
    /// that keep order values.
    var members: [Int64]?

    /// The places of all members that an owner has in another store, in their order.
    static func copied(
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
  struct PhantomCheck {
    /// Cause of the save's change of the owners.
    enum Cause { case deletion, changeOfPartner }

    let relationship: RelationshipLayout
    let cause: Cause
    var owners: [Int64] = []
    /// By owner with a changed partner: the one record that its row names, and that has to refer to it; 0 for
    /// none.
    var partners: [Int64: Int64] = [:]
    /// By deleted owner: members of a table of pairs that have left in this save.
    var removed: [Int64: Set<Int64>] = [:]
  }

  /// The time of the save, which is the same in all stores (MDL-176).
  var date = Date()
  /// Whether the insertions are rows of another store, with derived values that are written as they are.
  var isCopy = false
  /// The author of the save, by the context that makes it, for a history.
  var author: String?
  /// The name of the context that makes it, for a history.
  var contextName: String?
  var insertions: [Insertion] = []
  var updates: [Update] = []
  var deletions: [Deletion] = []
  var locked: [Locked] = []
  var links: [LinkChange] = []
  var lostMembers: [LostMembers] = []
  var orders: [OrderChange] = []
  var phantomChecks: [PhantomCheck] = []
  /// By entity tree: stored owners of changed to-manys of which no column changes; only their versions rise.
  var touched: [Int: [Int64]] = [:]
  /// The permanent keys of objects that have temporary ones, by those.
  var permanentKeys = PermanentKeyMap()

  var isEmpty: Bool {
    insertions.isEmpty && updates.isEmpty && deletions.isEmpty && links.isEmpty && orders.isEmpty
      && touched.isEmpty
  }
}

/// The permanent keys of a save's inserted objects, by their temporary ones.
struct PermanentKeyMap {
  private var first: Int64 = 0
  private var keys: [Int64] = []

  init() {}

  /// For temporary keys of a span; they are handed out in sequence, so a span holds few that are not of this
  /// save.
  init(from newest: Int64, through oldest: Int64) {
    first = oldest
    keys = [Int64](repeating: 0, count: Int(oldest - newest) + 1)
  }

  /// The permanent key for any key: itself if it is one already, 0 for a temporary one that is not of this
  /// save.
  subscript(key: Int64) -> Int64 {
    get {
      guard key < 0 else { return key }
      let position = first - key
      return position >= 0 && position < keys.count ? keys[Int(position)] : 0
    }
    set { keys[Int(first - key)] = newValue }
  }

  /// The number of temporary keys in the span.
  var count: Int { keys.count }

  /// Hands over each temporary key of the save with its permanent one.
  func forEach(_ body: (_ temporaryKey: Int64, _ key: Int64) -> Void) {
    for (position, key) in keys.enumerated() where key > 0 { body(first - Int64(position), key) }
  }
}
