import GraphStoreModel
import GraphStorePredicates
import OrderedCollections

/// All objects of a small entity, held in memory: they are searched and sorted without a statement.
///
/// For what there are a few hundred of, and what is looked for all the time: countries, units, categories.
/// The objects are fetched once, with their values, when they are first asked for, and kept current with the
/// unsaved changes of the context and with what is merged into it. Above ``limit`` objects it gives up, with
/// a warning: it holds none then, and each question is a fetch.
///
/// Belongs to the context's queue. The context does not keep it alive.
///
/// ```swift
/// let departments = try ResidentCollection<Department>(in: context)
/// let long = try departments.objects(matching: QueryPredicate(parsing: "name BEGINSWITH 'E'"))
/// print(long.map(\.name))  // ["Engineering"]
/// ```
public final class ResidentCollection<Object: ManagedObject> {
  /// More objects than these are not held.
  public static var limit: Int { 10_000 }

  /// The context whose objects it has.
  public let context: ManagedObjectContext
  /// The entity; objects of its sub-entities count.
  public let entityName: String
  /// Whether objects are held, or are going to be when they are first asked for.
  public private(set) var isResident = true

  private let entity: EntityDescription
  private var held: OrderedSet<ManagedObject>?

  /// Makes the collection of an entity's objects; nothing is read yet.
  ///
  /// - Parameters:
  ///   - entityName: The entity; nil for the one that the class represents.
  ///   - context: The context.
  /// - Throws: `unknown-entity`; `class-mismatch` where the class represents none.
  public init(entityName: String? = nil, in context: ManagedObjectContext) throws {
    self.context = context
    self.entityName = try entityName ?? context.entityName(of: Object.self)
    entity = try context.layout(named: self.entityName).entity
    context.delivery.observers.add(self)
  }

  /// The objects that meet a condition, in an order; without one by identifier, unsaved ones last.
  ///
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` for what does not fit the entity; what fetching,
  ///   and reading objects that were refreshed, throws.
  public func objects(
    matching predicate: QueryPredicate? = nil, variables: [String: Value] = [:],
    sortedBy descriptors: [QuerySortDescriptor] = []
  ) throws -> [Object] {
    try context.processPendingChanges()
    try fill()
    guard let held else {
      var request = FetchRequest<ManagedObject>(
        entityName: entityName, predicate: predicate, sortDescriptors: descriptors)
      request.variables = variables
      return try context.fetch(Object.self, request)
    }
    try context.realizeFaults(in: held.elements)
    var found = held.elements.sortedByIdentifier()
    if let predicate {
      let options = EvaluationOptions(
        logic: .threeValued, locale: context.locale, functions: context.functions)
      found = try found.filtered(by: predicate, variables: variables, options: options)
    }
    if !descriptors.isEmpty { found = try found.sorted(using: descriptors, locale: context.locale) }
    return try found.map { try context.typed($0, as: Object.self) }
  }

  private func fill() throws {
    if !isResident || held != nil { return }
    var request = FetchRequest<ManagedObject>(entityName: entityName, fetchLimit: Self.limit + 1)
    request.returnsObjectsAsFaults = false
    held = OrderedSet(try context.fetch(request))
    giveUpIfLarge()
  }

  private func giveUpIfLarge() {
    guard let count = held?.count, count > Self.limit else { return }
    (held, isResident) = (nil, false)
    Diagnostics.report(
      StoreWarning(
        code: "resident-collection-large",
        message: "There are more than \(Self.limit) \(entityName) objects, which are not kept in memory.",
        remedy: "Fetch what is needed of them.", preventsWriting: false))
  }
}

extension ResidentCollection: ChangeConsumer {
  func contextDidChange(_ changes: ContextChanges) {
    guard held != nil else { return }
    guard changes.invalidatedAll.isEmpty else { return held = nil }
    let changed = changes.inserted + changes.updated.map(\.object) + changes.refreshed
    for object in changed where object.entity.isKind(of: entity) && object.isPresent {
      held?.append(object)
    }
    let gone = Set((changes.deleted.map(\.object) + changes.invalidated + changed).filter(isGone))
    if !gone.isEmpty { held?.removeAll(where: gone.contains) }
    giveUpIfLarge()
  }

  private func isGone(_ object: ManagedObject) -> Bool {
    !object.isPresent || object.context !== context
  }
}
