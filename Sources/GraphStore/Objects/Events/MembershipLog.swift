import OrderedCollections

/// Log of the changes of a to-many in the event that is open: for each object that has joined or left what it
/// was before.
struct MembershipLog {
  /// State of one object in the relationship before the event.
  struct Entry {
    let object: ManagedObject
    /// Whether it was a member; nil where the members were not known.
    var wasMember: Bool?
    /// Whether it counted among those that have joined since the last save.
    let wasAdded: Bool
    /// Whether it counted among those that have left since the last save.
    let wasRemoved: Bool
    /// Whether the first change of the event made it a member.
    let isJoining: Bool
  }

  /// By object, in the order of the changes.
  private var table: OrderedDictionary<ObjectIdentifier, Entry> = [:]
  /// The members in their order, where a change has moved some.
  var order: [ManagedObject]?
  /// Those that had joined in their order, where one of them has left an ordered relationship that was not
  /// read.
  var orderOfAdded: [ManagedObject]?
  /// Whether members had changed places since the last save.
  let wasReordered: Bool

  init(wasReordered: Bool) { self.wasReordered = wasReordered }

  /// A log of no changes.
  static var none: MembershipLog { MembershipLog(wasReordered: false) }

  /// A log of some entries.
  init(_ entries: [Entry], order: [ManagedObject]?, wasReordered: Bool) {
    self.init(wasReordered: wasReordered)
    self.order = order
    for entry in entries { note(entry, of: entry.object) }
  }

  /// Some entries of a log.
  init(_ entries: [Entry], as log: MembershipLog) {
    self.init(entries, order: log.order, wasReordered: log.wasReordered)
    orderOfAdded = log.orderOfAdded
  }

  var entries: OrderedDictionary<ObjectIdentifier, Entry>.Values { table.values }

  /// Records an object unless it is known already.
  mutating func note(_ entry: @autoclosure () -> Entry, of object: ManagedObject) {
    let identifier = ObjectIdentifier(object)
    if table[identifier] == nil { table[identifier] = entry() }
  }

  /// Forgets one object, about which nothing can be undone any more.
  mutating func forget(_ object: ManagedObject) {
    guard table.removeValue(forKey: ObjectIdentifier(object)) != nil else { return }
    order?.removeAll { $0 === object }
    orderOfAdded?.removeAll { $0 === object }
  }

  /// Whether it is not known of some object whether it was a member.
  var isUncertain: Bool { entries.contains { $0.wasMember == nil } }

  /// Adds what has become known of objects that have joined or left a relationship that was not read.
  mutating func resolveUnknown(_ wasMember: (Entry) -> Bool) {
    for index in table.values.indices where table.values[index].wasMember == nil {
      table.values[index].wasMember = wasMember(table.values[index])
    }
  }

  var isEmpty: Bool { table.isEmpty && order == nil }
}
