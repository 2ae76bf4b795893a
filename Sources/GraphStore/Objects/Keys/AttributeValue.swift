import Foundation
import GraphStorePredicates

/// A Swift type in which an attribute can be read and written: integers, floating-point numbers, `Bool`,
/// `String`, `Date`, `Decimal`, `UUID`, `URL` and `Data`.
public protocol AttributeValue: ValueConvertible {
  /// The kinds of attribute that can be read as this type.
  static var _attributeKinds: _AttributeKinds { get }
  /// Reads the attribute that a key names; nil for a missing value, an unknown key or an attribute of another
  /// kind.
  static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Self>) -> Self?
  /// Sets the attribute that a key names; what cannot be set is kept as an error in the object's context.
  static func _set<Owner>(_ value: Self?, of object: ManagedObject, at key: AttributeKey<Owner, Self>)
}

extension AttributeValue {
  /// Sets the attribute that a key names; what cannot be set is kept as an error in the object's context.
  @inlinable
  public static func _set<Owner>(
    _ value: Self?, of object: ManagedObject, at key: AttributeKey<Owner, Self>
  ) {
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Int64: AttributeValue {
  /// Attributes of kind `integer`.
  public static var _attributeKinds: _AttributeKinds { .integer }

  /// Reads an integer attribute.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Int64>) -> Int64? {
    object.word(key).map { Int64(bitPattern: $0) }
  }

  /// Sets an integer attribute.
  @inlinable
  public static func _set<Owner>(
    _ value: Int64?, of object: ManagedObject, at key: AttributeKey<Owner, Int64>
  ) {
    if let value, object.setInPlace(value, at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Int: AttributeValue {
  /// Attributes of kind `integer`.
  public static var _attributeKinds: _AttributeKinds { .integer }

  /// Reads an integer attribute.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Int>) -> Int? {
    object.word(key).map { Int(truncatingIfNeeded: $0) }
  }

  /// Sets an integer attribute.
  @inlinable
  public static func _set<Owner>(_ value: Int?, of object: ManagedObject, at key: AttributeKey<Owner, Int>) {
    if let value, object.setInPlace(Int64(value), at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Int32: AttributeValue {
  /// Attributes of kind `integer`.
  public static var _attributeKinds: _AttributeKinds { .integer }

  /// Reads an integer attribute of 32 bits or fewer.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Int32>) -> Int32? {
    object.word(key).flatMap { Int32(exactly: Int64(bitPattern: $0)) }
  }

  /// Sets an integer attribute.
  @inlinable
  public static func _set<Owner>(
    _ value: Int32?, of object: ManagedObject, at key: AttributeKey<Owner, Int32>
  ) {
    if let value, object.setInPlace(Int64(value), at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Int16: AttributeValue {
  /// Attributes of kind `integer`.
  public static var _attributeKinds: _AttributeKinds { .integer }

  /// Reads an integer attribute of 16 bits.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Int16>) -> Int16? {
    object.word(key).flatMap { Int16(exactly: Int64(bitPattern: $0)) }
  }

  /// Sets an integer attribute.
  @inlinable
  public static func _set<Owner>(
    _ value: Int16?, of object: ManagedObject, at key: AttributeKey<Owner, Int16>
  ) {
    if let value, object.setInPlace(Int64(value), at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Bool: AttributeValue {
  /// Attributes of kind `boolean`.
  public static var _attributeKinds: _AttributeKinds { .boolean }

  /// Reads a Boolean attribute.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Bool>) -> Bool? {
    object.word(key).map { $0 != 0 }
  }

  /// Sets a Boolean attribute.
  @inlinable
  public static func _set<Owner>(
    _ value: Bool?, of object: ManagedObject, at key: AttributeKey<Owner, Bool>
  ) {
    if let value, object.setInPlace(Int64(value ? 1 : 0), at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Double: AttributeValue {
  /// Attributes of kind `floating`.
  public static var _attributeKinds: _AttributeKinds { .floating }

  /// Reads a floating-point attribute.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Double>) -> Double? {
    object.word(key).map { Double(bitPattern: $0) }
  }

  /// Sets a floating-point attribute.
  @inlinable
  public static func _set<Owner>(
    _ value: Double?, of object: ManagedObject, at key: AttributeKey<Owner, Double>
  ) {
    if let value, object.setInPlace(value, at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Float: AttributeValue {
  /// Attributes of kind `floating`.
  public static var _attributeKinds: _AttributeKinds { .floating }

  /// Reads a single-precision attribute.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Float>) -> Float? {
    object.word(key).map { Float(Double(bitPattern: $0)) }
  }

  /// Sets a single-precision attribute.
  @inlinable
  public static func _set<Owner>(
    _ value: Float?, of object: ManagedObject, at key: AttributeKey<Owner, Float>
  ) {
    if let value, object.setInPlace(Double(value), at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Date: AttributeValue {
  /// Attributes of kind `date`.
  public static var _attributeKinds: _AttributeKinds { .date }

  /// Reads a date attribute.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Date>) -> Date? {
    object.word(key).map { Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)) }
  }

  /// Sets a date attribute.
  @inlinable
  public static func _set<Owner>(
    _ value: Date?, of object: ManagedObject, at key: AttributeKey<Owner, Date>
  ) {
    if let value, object.setInPlace(value.timeIntervalSinceReferenceDate, at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension String: AttributeValue {
  /// Attributes of kind `string`.
  public static var _attributeKinds: _AttributeKinds { .string }

  /// Reads a string attribute; the string is made now.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, String>) -> String? {
    unsafe object.text(&key.place, key.propertyName)
  }

  /// Sets a string attribute.
  @inlinable
  public static func _set<Owner>(
    _ value: String?, of object: ManagedObject, at key: AttributeKey<Owner, String>
  ) {
    if let value, object.setInPlace(value, at: key.knownPlace) { return }
    unsafe object.set(value?.queryValue ?? .null, &key.place, key.propertyName, _attributeKinds)
  }
}

extension Decimal: AttributeValue {
  /// Attributes of kind `decimal`.
  public static var _attributeKinds: _AttributeKinds { .decimal }

  /// Reads a decimal attribute.
  @inlinable
  @inline(__always)
  public static func _value<Owner>(
    of object: ManagedObject, at key: AttributeKey<Owner, Decimal>
  ) -> Decimal? {
    unsafe object.decimal(&key.place, key.propertyName)
  }
}

extension UUID: AttributeValue {
  /// Attributes of kind `uuid`.
  public static var _attributeKinds: _AttributeKinds { .uuid }

  /// Reads a UUID attribute.
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, UUID>) -> UUID? {
    if case .uuid(let value) = unsafe object.generalValue(&key.place, key.propertyName, _attributeKinds) {
      return value
    }
    return nil
  }
}

extension URL: AttributeValue {
  /// Attributes of kind `uri`.
  public static var _attributeKinds: _AttributeKinds { .uri }

  /// Reads a URI attribute.
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, URL>) -> URL? {
    if case .uri(let value) = unsafe object.generalValue(&key.place, key.propertyName, _attributeKinds) {
      return value
    }
    return nil
  }
}

extension Data: AttributeValue {
  /// Attributes of kind `binary`.
  public static var _attributeKinds: _AttributeKinds { .binary }

  /// Reads a binary attribute.
  public static func _value<Owner>(of object: ManagedObject, at key: AttributeKey<Owner, Data>) -> Data? {
    if case .data(let value) = unsafe object.generalValue(&key.place, key.propertyName, _attributeKinds) {
      return value
    }
    return nil
  }
}
