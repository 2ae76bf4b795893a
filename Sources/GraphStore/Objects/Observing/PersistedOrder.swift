import Foundation
import GraphStoreModel
import GraphStorePredicates

/// The objects of an entity in the order of a locale, kept in the store: an ordered relationship of one
/// owner, which also keeps the locale and the version of the collation that the order was made by.
///
/// An order that is read needs no sort, and its positions can be fetched by. It is made anew when it is
/// opened for another locale, or by a library with another collation
/// (``/GraphStorePredicates/Collation/version(for:)``); the context is not saved by it.
///
/// The owner has an ordered relationship, and attributes `locale` and `collationVersion`:
///
/// ```swift
/// let order = try PersistedOrder(owner: project, relationship: "members", sortKey: "name")
/// try order.insert(employee)
/// for member in try order.objects() { print(try member.value(forKey: "name") ?? "-") }
/// ```
///
/// Belongs to the thread of the owner's context.
public struct PersistedOrder {
  /// The keys of the owner under which locale and version are kept; both are attributes of type string.
  public struct Keys: Hashable, Sendable {
    /// The key of the locale's identifier.
    public var locale: String
    /// The key of the collation's version.
    public var version: String

    /// Makes keys.
    public init(locale: String = "locale", version: String = "collationVersion") {
      self.locale = locale
      self.version = version
    }
  }

  /// The object whose relationship has the order.
  public let owner: ManagedObject
  /// The ordered relationship; its destination is the entity that is listed.
  public let relationship: String
  /// The attribute of the members whose text they are in the order of.
  public let sortKey: String
  /// The locale of the order.
  public let locale: Locale
  /// Whether opening it has made the order anew.
  public private(set) var wasRebuilt = false

  private let context: ManagedObjectContext
  private let destination: EntityDescription
  private let collation: Collation

  /// Opens the order of an owner, and makes it anew where locale or collation differ from those it was made
  /// by.
  ///
  /// - Parameters:
  ///   - owner: The object whose relationship has the order.
  ///   - relationship: The key of the ordered relationship.
  ///   - sortKey: The key of the members' text.
  ///   - locale: The locale; nil for that of the owner's context.
  ///   - keys: The owner's keys for locale and version.
  /// - Throws: `invalid-request` for a relationship that is not ordered or a key that is no text; what
  ///   reading and setting throw.
  public init(
    owner: ManagedObject, relationship: String, sortKey: String, locale: Locale? = nil, keys: Keys = Keys()
  ) throws {
    try owner.checkChangeable()
    guard let context = owner.context else {
      throw GraphStoreError(
        .objectDetached, "\(owner.objectID.shortForm) has left its context.",
        remedy: "Fetch it again.", entity: owner.entity.name, objectID: owner.objectID)
    }
    self.owner = owner
    self.relationship = relationship
    self.sortKey = sortKey
    self.context = context
    self.locale = locale ?? context.locale
    let plan = try owner.relationship(forKey: relationship)
    destination = plan.destinationEntity
    collation = .standard(locale: self.locale)
    guard plan.isOrdered else {
      throw Self.unfit(
        owner, relationship: relationship, message: "\(relationship) of \(owner.entity.name) is not ordered.")
    }
    guard destination.attribute(named: sortKey)?.type == .string else {
      throw Self.unfit(
        owner, relationship: relationship, message: "\(sortKey) of \(destination.name) is no text.")
    }
    let version = Collation.version(for: self.locale)
    let isCurrent =
      try owner.value(forKey: keys.locale) as? String == self.locale.identifier
      && owner.value(forKey: keys.version) as? String == version
    guard !isCurrent else { return }
    try rebuild()
    try owner.setValue(self.locale.identifier, forKey: keys.locale)
    try owner.setValue(version, forKey: keys.version)
    wasRebuilt = true
  }

  /// The members in order.
  public func objects() throws -> [ManagedObject] { try owner.objects(forKey: relationship) }

  /// Inserts an object at its position, also one that is in the order already and whose text has changed.
  ///
  /// One that is equal to others is inserted after them. Costs a binary search, and the writing of the
  /// relationship.
  public func insert(_ object: ManagedObject) throws {
    var members = try objects().filter { $0 !== object }
    let text = try text(of: object)
    var low = 0
    var high = members.count
    while low < high {
      let middle = (low + high) / 2
      if try Self.order(text, self.text(of: members[middle]), collation: collation) == .orderedAscending {
        high = middle
      } else {
        low = middle + 1
      }
    }
    members.insert(object, at: low)
    try owner.setValue(members, forKey: relationship)
  }

  /// Sorts all objects of the entity anew.
  public func rebuild() throws {
    let objects = try context.fetch(FetchRequest(entityName: destination.name))
    let texts = try objects.map { object in try text(of: object) }
    let keys = texts.map { $0.map(collation.sortKey) ?? [] }
    let sorted = objects.indices.sorted { left, right in
      if (texts[left] == nil) != (texts[right] == nil) { return texts[left] == nil }
      if keys[left] != keys[right] { return keys[left].lexicographicallyPrecedes(keys[right]) }
      return objects[left].precedes(objects[right])
    }
    try owner.setValue(sorted.map { objects[$0] }, forKey: relationship)
  }

  private func text(of object: ManagedObject) throws -> String? {
    try object.value(forKey: sortKey) as? String
  }

  private static func order(_ left: String?, _ right: String?, collation: Collation) -> ComparisonResult {
    switch (left, right) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let left?, let right?): collation.order(left, right)
    }
  }

  private static func unfit(
    _ owner: ManagedObject, relationship: String, message: String
  ) -> GraphStoreError {
    GraphStoreError(
      .invalidRequest, message, remedy: "Name an ordered to-many relationship and a text of its members.",
      entity: owner.entity.name, property: relationship, objectID: owner.objectID)
  }
}
