import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Values as programs and property lists give them, converted to those that attributes of an entity hold.
struct GivenValues {
  /// An object of the entity, whose rules of setting values count; nothing is set.
  let object: ManagedObject
  /// Whether values are those of property lists, which have the stored bytes of transformable attributes.
  private let isPropertyList: Bool

  init(_ object: ManagedObject, isPropertyList: Bool = false) {
    self.object = object
    self.isPropertyList = isPropertyList
  }

  /// - Parameter context: a context in which nothing else is done.
  init(_ layout: EntityLayout, in context: ManagedObjectContext) {
    self.init(context.fault(layout, key: context.coordinator.nextTemporaryKey(), storeIndex: 0))
  }

  /// The value that an attribute holds when it is set to one.
  ///
  /// - Throws: `value-type`, `value-out-of-range`, `unknown-key` for an element of a composite attribute, and
  ///   what transformers throw.
  func value(of given: Any, for property: PropertyLayout) throws -> Value {
    do {
      return try object.compositeValue(try prepared(given, property), of: property)
    } catch var error as GraphStoreError {
      error.objectID = nil
      throw error
    }
  }

  /// A value with texts as the types that they are for, and bytes in property lists as such.
  private func prepared(_ given: Any, _ property: PropertyLayout) throws -> Any {
    switch property.kind {
    case .string, .undefined, .none, .toOne, .toMany: return given
    case .transformable:
      if isPropertyList, let data = given as? Data { return Value.data(data) }
      return given
    case .composite:
      guard var members = given as? [String: Any?] else { return given }
      for element in property.elements {
        guard let member = members[element.key] ?? nil else { continue }
        members[element.key] = try prepared(member, element)
      }
      return members
    default:
      if !(given is any ValueConvertible), let number = given as? NSNumber {
        return plain(number, property.kind)
      }
      guard let text = given as? String, let attribute = property.attribute else { return given }
      do { return try attribute.value(fromText: text) } catch { throw refusal(error, property) }
    }
  }

  /// A number out of a property list, which may be in a box.
  private func plain(_ number: NSNumber, _ kind: SlotKind) -> Value {
    switch kind {
    case .boolean: .bool(number.boolValue)
    case .decimal: .decimal(number.decimalValue)
    case _ where Double(number.int64Value) == number.doubleValue: .int(number.int64Value)
    default: .double(number.doubleValue)
    }
  }

  private func refusal(_ error: ValueConversionError, _ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(
      error.code == .outOfRange ? .valueOutOfRange : .valueType, error.message,
      remedy: error.hint ?? "Give a value of the attribute's type.", entity: object.entity.name,
      property: property.name, value: .string(error.value))
  }
}

extension Value {
  /// The value in a form that property lists have: decimals, UUIDs and URIs as text; nil for none.
  var propertyListForm: (any Sendable)? {
    switch self {
    case .bool(let flag): flag
    case .int(let number): Int(number)
    case .double(let number): number
    case .decimal(let number): number.description
    case .string(let text): text
    case .date(let date): date
    case .uuid(let uuid): uuid.uuidString
    case .uri(let uri): uri.absoluteString
    case .data(let data): data
    case .dictionary(let members): members.compactMapValues(\.propertyListForm)
    case .null, .object, .list: nil
    }
  }
}
