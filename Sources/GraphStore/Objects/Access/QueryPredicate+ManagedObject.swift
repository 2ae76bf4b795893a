import Foundation
import GraphStoreModel
import GraphStorePredicates

extension QueryPredicate {
  /// Whether the predicate is true for an object, in two-valued logic unless the options say otherwise.
  ///
  /// The predicate meets the object's own entity: keys are looked up in it, and constants take the types of
  /// the keys they are compared with, as in a fetch; unlike there transient attributes and closures may be
  /// used. For many objects filter the sequence, which prepares the predicate once. Call it where the object
  /// may be used.
  ///
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` for what does not fit the entity; what reading a
  ///   fault throws.
  public func evaluate(
    with object: ManagedObject, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> Bool {
    let checker = object.checker(for: object.entity, options)
    return try PredicateEvaluator(checker.check(substituting(variables)), options: options).evaluate(object)
  }
}

extension Sequence where Element: ManagedObject {
  /// The objects for which a predicate is true, in two-valued logic unless the options say otherwise, and in
  /// their order.
  ///
  /// The predicate is checked once, against the nearest entity that all objects are of, and then as a fetch
  /// of that entity checks it, but for transient attributes and closures, which may be used.
  ///
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` for what does not fit the entity; what reading a
  ///   fault throws.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> [Element] {
    let evaluators = try FamilyEvaluators(
      self, predicate: predicate.substituting(variables), options: options)
    return try filter { try evaluators.evaluate($0) }
  }

  /// The objects in the order of sort descriptors, which are checked as those of a fetch are; transient
  /// attributes may be used. The sort is stable, and the order that of a fetch with the same descriptors and
  /// locale.
  ///
  /// - Throws: ``/GraphStorePredicates/QueryPredicateError`` for what does not fit the entity; what reading a
  ///   fault throws.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = ProcessLocale.current
  ) throws -> [Element] {
    let options = EvaluationOptions(locale: locale)
    for (entity, object) in families { _ = try object.checker(for: entity, options).check(descriptors) }
    return try sorted(using: SortEvaluator(descriptors, options: options))
  }

  /// For each tree of entities that objects are of, the nearest entity that all of them are of, and one of
  /// them.
  fileprivate var families: [(entity: EntityDescription, example: ManagedObject)] {
    var families: [(entity: EntityDescription, example: ManagedObject)] = []
    var last: EntityLayout?
    for object in self where object.layout !== last {
      last = object.layout
      let root = object.entity.rootEntity
      if let position = families.firstIndex(where: { $0.entity.rootEntity === root }) {
        families[position].entity = families[position].entity.nearest(with: object.entity)
      } else {
        families.append((object.entity, object))
      }
    }
    return families
  }
}

extension Set where Element: ManagedObject {
  /// The objects for which a predicate is true, in two-valued logic unless the options say otherwise; see the
  /// same method of sequences.
  public func filtered(
    by predicate: QueryPredicate, variables: [String: Value] = [:], options: EvaluationOptions = .init()
  ) throws -> Set<Element> {
    let evaluators = try FamilyEvaluators(
      self, predicate: predicate.substituting(variables), options: options)
    return try filter { try evaluators.evaluate($0) }
  }
}

/// A predicate checked and compiled for each tree of entities that objects are of; nearly always there is
/// one.
private struct FamilyEvaluators {
  private var evaluators: [(root: Int, evaluator: PredicateEvaluator)] = []

  init(
    _ objects: some Sequence<some ManagedObject>, predicate: QueryPredicate, options: EvaluationOptions
  ) throws {
    evaluators = try objects.families.map { entity, object in
      let checked = try object.checker(for: entity, options).check(predicate)
      return (object.layout.rootIndex, try PredicateEvaluator(checked, options: options))
    }
  }

  func evaluate(_ object: ManagedObject) throws -> Bool {
    for (root, evaluator) in evaluators where root == object.layout.rootIndex {
      return try evaluator.evaluate(object)
    }
    return false
  }
}

extension ManagedObject {
  /// Checker of predicates and sorts that are evaluated over objects of an entity.
  fileprivate final func checker(
    for entity: EntityDescription, _ options: EvaluationOptions
  ) -> PredicateTypeChecker {
    let coordinator = managedObjectContext?.coordinator
    var checker = PredicateTypeChecker(entity: entity, purpose: .evaluation) {
      coordinator?.objectReference($0)
    }
    if let classes = coordinator?.classes, classes.hasClasses {
      checker.declaredKeys = { classes.declarations(of: $0.index)?.readableKeys ?? [] }
    }
    checker.functions = options.functions
    checker.now = options.now
    return checker
  }
}

extension EntityDescription {
  /// The nearest entity of the same tree that this one and another are of.
  fileprivate func nearest(with other: EntityDescription) -> EntityDescription {
    var entity = self
    while !other.isKind(of: entity), let parent = entity.superentity { entity = parent }
    return entity
  }
}
