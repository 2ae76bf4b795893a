import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ManagedObject {
  /// Checks a value that a property may get: by the model's constraints, and if they hold by the class's own
  /// rules, ``validateProperty(_:value:)``.
  ///
  /// Nothing is set: a caller that wants the value sets the one that it got back, which the class may have
  /// replaced. Attributes take values of their Swift type, to-ones an object, to-manys a set or an array,
  /// whose number of members is checked. Derived attributes and fetched properties are not validated.
  ///
  /// - Parameters:
  ///   - value: The proposed value; the class's replacement of it, afterwards.
  ///   - key: The name of a property, or a key that the class declares.
  /// - Throws: `validation` or `multiple-validation-errors`; what setting a value of another type would
  ///   throw, such as `value-type`; `unknown-key`; `recursive-validation` from inside the validator of the
  ///   same key and object.
  public final func validateValue(_ value: inout Any?, forKey key: String) throws {
    checkQueue()
    try checkChangeable()
    if let property = layout.property(named: key) {
      if property.kind == .none || property.isDerived { return }
      if let error = GraphStoreError.combining(try failures(of: property, proposed: value)) { throw error }
    } else if declarations?.accessors[key] == nil {
      throw notCompliant(key)
    }
    if hasOwnClass { try validateByClass(&value, key) }
  }

  private func validateByClass(_ value: inout Any?, _ key: String) throws {
    var proposed = ProposedValue(value, object: self)
    do { try runValidator(key, &proposed) } catch {
      throw GraphStoreError.failure(
        error, of: self, key: key, value: (value as? any ValueConvertible)?.queryValue)
    }
    if let replacement = proposed.replacement { value = replacement.value }
  }

  private func failures(of property: PropertyLayout, proposed value: Any?) throws -> [GraphStoreError] {
    switch property.kind {
    case .toOne:
      guard value == nil || value is ManagedObject else { throw wrongCardinality(property) }
      return try failures(of: property, proposed: (value as? ManagedObject).map { [$0] } ?? [])
    case .toMany: return try failures(of: property, proposed: objects(in: value, property))
    default:
      let evaluators = context?.validationEvaluators ?? ValidationPredicates()
      do {
        return try layout.failures(
          of: property, proposed: candidate(value, property), objectID: objectID, evaluators)
      } catch var error as GraphStoreError where error.code == .transformFailed {
        error.number = GraphStoreError.Code.validation.number
        return [error]
      }
    }
  }

  private func failures(of property: PropertyLayout, proposed objects: [ManagedObject]) throws
    -> [GraphStoreError]
  {
    let relationship = layout.relationships[property.relationship]
    for object in objects { try checkDestination(object, of: relationship) }
    let lost = objects.filter(\.isDeleted).map { danglingFailure($0, property) }
    let miscounted = failure(of: relationship, count: ObjectSet(objects).count).map { [$0] } ?? []
    return try lost + miscounted + ruleFailures(of: relationship, objects)
  }

  /// A value of an attribute in the form in which rules read it.
  private func candidate(_ value: Any?, _ property: PropertyLayout) throws -> Value {
    switch property.kind {
    case .undefined: return value == nil ? .null : .data(Data())
    case .composite: return try compositeValue(value, of: property)
    default:
      let candidate = try elementValue(value, property)
      // A date that is none has a rule of its own.
      if case .date(let date) = candidate, property.kind == .date,
        !date.timeIntervalSinceReferenceDate.isFinite
      {
        return candidate
      }
      return try storable(candidate, property)
    }
  }
}

/// The value of a property that a class checks, and may replace.
///
/// Reading it makes the Swift value; a check that does not read it costs nothing. It is valid only inside the
/// call that it is passed to.
///
/// A rule may correct a value instead of refusing it:
///
/// ```swift
/// final class Employee: ManagedObject {
///   override func validateProperty(_ key: String, value: inout ProposedValue) throws {
///     guard key == "name", let name = value.value as? String else { return }
///     value.value = name.trimmingCharacters(in: .whitespaces)
///   }
/// }
/// ```
public struct ProposedValue: ~Copyable {
  /// A value that is there, though it may be nil.
  final class Given {
    let value: Any?

    init(_ value: Any?) { self.value = value }
  }

  @safe private unowned(unsafe) let object: ManagedObject
  /// The number of the property whose present value it is; of a value that an object may get nothing is read.
  private let number: Int
  /// The value that was passed, or a class's replacement of it.
  private var given: Given?
  private var isReplaced = false

  /// The value that an object has.
  @inline(__always)
  init(of number: Int, object: ManagedObject) {
    self.object = object
    self.number = number
    given = nil
  }

  /// A value that an object may get.
  init(_ value: Any?, object: ManagedObject) {
    self.object = object
    number = -1
    given = Given(value)
  }

  /// A class's replacement of the value.
  var replacement: Given? { isReplaced ? given : nil }

  /// The value, of the Swift type of the attribute, an object or a collection of objects, or nil; setting it
  /// replaces the value in the save that is running, or for the caller of
  /// ``ManagedObject/validateValue(_:forKey:)``.
  ///
  /// A value that cannot be read is nil, and the next save reports why.
  public var value: Any? {
    get {
      if let given { return given.value }
      return stored
    }
    set {
      given = Given(newValue)
      isReplaced = true
    }
  }

  private var stored: Any? {
    do { return try object.storedValue(of: object.layout.properties[number]) } catch {
      object.keepDeferred(error)
      return nil
    }
  }
}
