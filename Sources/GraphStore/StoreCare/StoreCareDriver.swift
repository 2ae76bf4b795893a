import GraphStoreModel

/// Driver of a type whose stores are in no files of SQLite's, and that can be checked, mended and measured as
/// wholes.
package protocol StoreCareDriver: StoreDriver {
  /// Runs every check; a quick one leaves out those of rows.
  ///
  /// - Throws: What keeps the store from being opened.
  func check(
    _ path: String, model given: ManagedObjectModel?, configuration: String?, isQuick: Bool, timeout: Duration
  ) throws -> [StoreCheckResult]
  /// Mends what can be mended, in one transaction.
  ///
  /// - Parameters:
  ///   - cleared: The properties whose values of a wrong type become nil.
  ///   - steps: What is to be mended; nil takes all back that was done, so that only what it would be is
  ///     known.
  /// - Returns: What was done and left, and where the copy is of the store as it was; none where all is taken
  ///   back.
  /// - Throws: `store-open` where something else is to be mended than `steps`; `unknown-entity`,
  ///   `unknown-key`; what keeps the store from being opened and written. It is as it was then.
  func repair(
    _ path: String, model given: ManagedObjectModel?, clearing cleared: [String], timeout: Duration,
    carryingOut steps: [StoreRepair.Step]?
  ) throws -> StoreRepair.Result
  /// What the store holds, by entity.
  ///
  /// - Parameter name: The one entity that is asked for; nil for all that can have rows.
  /// - Throws: `unknown-entity`; what keeps the store from being opened.
  func statistics(
    _ path: String, model given: ManagedObjectModel?, configuration: String?, entity name: String?,
    timeout: Duration
  ) throws -> [EntityStatistics]
}

extension StoreRegistry {
  /// The driver that cares for the store at the address of a server; nil for any other place, and where the
  /// type has none.
  ///
  /// - Throws: `store-type-unknown` for a type that the program does not have.
  static func careDriver(at place: String) throws -> (any StoreCareDriver)? {
    guard ServerAddress(place) != nil else { return nil }
    return try driver(ofNew: nil, at: place) as? any StoreCareDriver
  }
}
