import GraphStoreModel
import GraphStorePredicates

/// Collector of what several checks of an object find, so that all of it is reported at once.
///
/// An override of a validation continues with it after `super` has failed:
///
/// ```swift
/// final class Employee: ManagedObject {
///   override func validateForUpdate() throws {
///     var collector = ValidationCollector(of: self)
///     collector.check { try super.validateForUpdate() }
///     if try object(forKey: "department") == nil {
///       collector.add(GraphStoreError(.validation, "There is no department.", remedy: "Choose one."))
///     }
///     try collector.throwFailures()
///   }
/// }
/// ```
public struct ValidationCollector {
  private let object: ManagedObject
  /// The failures so far, in the order found; a multiple failure counts as those that it holds.
  public var failures: [GraphStoreError] { found.flatMap(\.parts) }
  private var found: [GraphStoreError] = []

  /// Makes a collector without failures.
  ///
  /// - Parameter object: The object that is checked, which failures name that name none.
  public init(of object: ManagedObject) { self.object = object }

  /// Runs a check and keeps what it throws: an error of any type, as a save would throw it.
  public mutating func check(_ body: () throws -> Void) {
    do { try body() } catch { add(error) }
  }

  /// Adds a failure.
  public mutating func add(_ failure: any Error) { found.append(.failure(failure, of: object)) }

  /// Throws what was found; nothing where nothing was.
  ///
  /// - Throws: one failure as itself; several as one error of code 1560, whose ``GraphStoreError/errors`` are
  ///   flat and in the order found.
  public func throwFailures() throws {
    if let error = GraphStoreError.combining(found) { throw error }
  }
}

extension GraphStoreError {
  /// The failure of a property whose value breaks a constraint of the model.
  init(
    _ violation: ValueViolation, of property: PropertyLayout, in entity: EntityDescription,
    objectID: ManagedObjectID?
  ) {
    self.init(
      .validation, violation.message, remedy: "Give a value that the model allows.",
      number: violation.code.rawValue, entity: entity.name, property: property.name, objectID: objectID,
      value: violation.value)
    predicate = violation.predicate
  }

  /// The error of a class's rule, as a failure of validation (OBJ-356, OBJ-370).
  ///
  /// An error of another type is wrapped, and kept as the cause. One of this type keeps its code, its number
  /// and its words; what it leaves open of object, key and value is filled in.
  static func failure(
    _ error: any Error, of object: ManagedObject, key: String? = nil, value: Value? = nil
  ) -> GraphStoreError {
    if let error = error as? GraphStoreError { return error.placed(at: object, key, value) }
    let place = key.map { "\(object.entity.name).\($0)" } ?? object.objectID.shortForm
    return GraphStoreError(
      .validation, "\(place): \(error)",
      remedy: key == nil ? "Correct the object and save again." : "Give a value that the class allows.",
      number: 1550, entity: object.entity.name, property: key, objectID: object.objectID, value: value,
      underlying: error)
  }

  private func placed(at object: ManagedObject, _ key: String?, _ value: Value?) -> GraphStoreError {
    var error = self
    guard errors.isEmpty else {
      error.errors = errors.map { $0.placed(at: object, key, value) }
      return error
    }
    guard objectID == nil || objectID == object.objectID, entity == nil || entity == object.entity.name
    else { return self }
    error.objectID = object.objectID
    error.entity = object.entity.name
    error.property = property ?? key
    if error.property == key { error.value = self.value ?? value }
    return error
  }
}

extension ManagedObjectContext {
  /// Reads rows of other faults together with that of one which fires, where code of classes runs for all of
  /// them: while a deletion is propagated those of the wave (REL-243), while a save validates those that it
  /// validates (OBJ-339). So such code costs a statement a tree.
  @inline(__always)
  func loadFaults(firingWith object: ManagedObject) throws {
    if deletions.wave != nil { try loadWave(with: object) }
    if validation.trees != nil { try loadValidatedFaults(with: object) }
  }

  private func loadWave(with object: ManagedObject) throws {
    guard object.state.contains(.deleted), let faults = try deletions.wave?.faults(firingWith: object) else {
      return
    }
    try loadRows(of: faults)
  }

  /// Deleted faults, and those that were changed in a to-many alone; rules of the model need none of their
  /// values.
  private func loadValidatedFaults(with object: ManagedObject) throws {
    let (tree, isDeleted) = (object.layout.rootIndex, object.state.contains(.deleted))
    guard !object.state.isDisjoint(with: [.updated, .deleted]),
      validation.trees?.insert(ValidatedTree(root: tree, isDeleted: isDeleted)).inserted == true
    else { return }
    try loadRows(
      of: unsaved.objects.filter {
        $0.layout.rootIndex == tree && $0.state.contains(.fault) && $0.state.contains(.deleted) == isDeleted
      })
  }

  /// Resolves a to-many of all objects in which a save has to count its members, with the first of them
  /// (REL-145).
  func resolve(_ relationship: RelationshipLayout, validatedWith object: ManagedObject) throws {
    let owners = unsaved.objects.filter { owner in
      owner.layout.rootIndex == object.layout.rootIndex && owner.state.isUpdate && !owner.isDeleted
        && owner.entity.isKind(of: relationship.description.entity) && owner.isChangedToMany(relationship)
    }
    try resolve(relationship, of: owners.contains(object) ? owners : [object])
  }
}

/// Objects of one entity tree that a save validates, deleted ones apart from the others.
struct ValidatedTree: Hashable {
  let root: Int
  let isDeleted: Bool
}
