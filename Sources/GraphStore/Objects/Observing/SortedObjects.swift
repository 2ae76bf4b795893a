import Foundation
import GraphStoreModel
import GraphStorePredicates

/// The objects of an entity in the order of a locale, kept current with the unsaved changes of one context.
///
/// The objects are fetched when they are first asked for. From then on an inserted object is inserted at its
/// position by binary search, one whose sort key has changed is moved, and a deleted one removed, when the
/// objects are next asked for or pending changes are processed: reading an array that nothing has changed
/// costs nothing, and sorts nothing. Refreshing one of its entity's objects, rolling back and resetting the
/// context make it fetch anew. It knows of its own context only; it finds changes saved by others when it is
/// invalidated.
///
/// Belongs to the context's thread. The context does not keep it alive.
///
/// ```swift
/// let sorted = try SortedObjects(context, entityName: "Employee", sortKey: "name")
/// try context.insert(Employee.self).name = "Alan Turing"
/// for object in try sorted.objects() { print(try object.value(forKey: "name") ?? "-") }
/// ```
public final class SortedObjects {
  /// The context whose objects it has.
  public let context: ManagedObjectContext
  /// The entity; objects of its sub-entities count.
  public let entityName: String
  /// The attribute or path through to-ones whose text they are in the order of.
  public let sortKey: String
  /// The locale of the order.
  public let locale: Locale

  private struct Entry {
    let object: ManagedObject
    let text: String?
    let key: [UInt8]
  }

  private let entity: EntityDescription
  private let text: ExpressionEvaluator
  private let collation: Collation
  private var entries: [Entry]?
  private var keys: [ObjectIdentifier: [UInt8]] = [:]
  /// Objects of the entity that have changed since the order was last right.
  private var changed: [ManagedObject] = []
  /// Whether anything has changed since.
  private var hasChanged = false

  /// Makes the list; nothing is read yet.
  ///
  /// - Parameters:
  ///   - context: The context.
  ///   - entityName: The entity.
  ///   - sortKey: The attribute, or path through to-ones, whose text determines the order.
  ///   - locale: The locale; nil for the context's.
  /// - Throws: `unknown-entity`; ``/GraphStorePredicates/QueryPredicateError`` for a key that is no text of
  ///   the entity.
  public init(
    _ context: ManagedObjectContext, entityName: String, sortKey: String, locale: Locale? = nil
  ) throws {
    self.context = context
    self.entityName = entityName
    self.sortKey = sortKey
    self.locale = locale ?? context.locale
    entity = try context.layout(named: entityName).entity
    let resolved = try PredicateTypeChecker(entity: entity).resolve(keyPath: sortKey)
    guard resolved.type == .string else {
      throw QueryPredicateError(
        .unsupportedSort, "\(sortKey) of \(entityName) is no text.",
        hint: "Name an attribute of type string.",
        subject: sortKey)
    }
    text = try ExpressionEvaluator(QueryExpression(.keyPath(QueryKeyPath(parsing: sortKey))))
    collation = .standard(locale: self.locale)
    context.delivery.observers.add(self)
  }

  /// The objects in order: by file-browser collation, those without a text first, equal ones by identifier.
  ///
  /// - Throws: what fetching and reading the sort keys throws.
  public func objects() throws -> [ManagedObject] {
    try bringUpToDate()
    return (entries ?? []).map(\.object)
  }

  /// Forgets the objects; they are fetched anew when they are next asked for.
  public func invalidate() {
    entries = nil
    keys = [:]
    forgetChanges()
  }

  /// Whether objects are held.
  public var isFilled: Bool { entries != nil }

  // MARK: Keeping current

  private func bringUpToDate() throws {
    try context.processPendingChanges()
    guard entries != nil else { return try fill() }
    guard hasChanged else { return }
    let objects = changed
    forgetChanges()
    for object in objects { try update(object) }
    // The effect of another object's change on a sort key behind a to-one is found by checking all objects.
    if sortKey.contains(".") { for entry in entries ?? [] { try update(entry.object) } }
    dropDeparted()
  }

  private func forgetChanges() {
    changed = []
    hasChanged = false
  }

  private func fill() throws {
    let objects = try context.fetch(FetchRequest(entityName: entityName))
    var filled = try objects.map(entry)
    filled.sort { precedes($0, $1) }
    keep(filled)
    forgetChanges()
  }

  private func entry(_ object: ManagedObject) throws -> Entry {
    guard case .string(let text) = try text.value(for: .source(object)) else {
      return Entry(object: object, text: nil, key: [])
    }
    return Entry(object: object, text: text, key: collation.sortKey(of: text))
  }

  private func update(_ object: ManagedObject) throws {
    guard !object.isDeleted, object.context === context else { return }
    let current = try entry(object)
    if let known = keys[ObjectIdentifier(object)] {
      if known == current.key { return }
      entries?.removeAll { $0.object === object }
    }
    keys[ObjectIdentifier(object)] = current.key
    let place = place(of: current)
    entries?.insert(current, at: place)
  }

  /// Removes deleted objects, and those inserted and deleted again, which are in no list.
  private func dropDeparted() {
    guard let entries, entries.contains(where: { $0.object.isDeleted || $0.object.context !== context })
    else {
      return
    }
    keep(entries.filter { !$0.object.isDeleted && $0.object.context === context })
  }

  private func keep(_ entries: [Entry]) {
    self.entries = entries
    keys = Dictionary(uniqueKeysWithValues: entries.map { (ObjectIdentifier($0.object), $0.key) })
  }

  /// The position before the first entry that the passed one precedes.
  private func place(of entry: Entry) -> Int {
    var low = 0
    var high = entries?.count ?? 0
    while low < high {
      let middle = (low + high) / 2
      if let other = entries?[middle], precedes(entry, other) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func precedes(_ left: Entry, _ right: Entry) -> Bool {
    if (left.text == nil) != (right.text == nil) { return left.text == nil }
    if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
    return left.object.precedes(right.object)
  }
}

extension SortedObjects: ChangeConsumer {
  func contextDidChange(_ changes: ContextChanges) {
    guard entries != nil else { return }
    guard changes.invalidatedAll.isEmpty,
      !(changes.refreshed + changes.invalidated).contains(where: { $0.entity.isKind(of: entity) })
    else { return invalidate() }
    changed += (changes.inserted + changes.updated.map(\.object)).filter { $0.entity.isKind(of: entity) }
    hasChanged = true
  }
}
