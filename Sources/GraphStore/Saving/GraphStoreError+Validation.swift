import GraphStoreModel
import GraphStorePredicates

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
