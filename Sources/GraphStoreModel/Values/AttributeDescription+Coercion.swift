import Foundation
import GraphStorePredicates

extension AttributeDescription {
  /// The value of a text: whole numbers inside the type's width, decimals digit by digit, `true` `false`
  /// `yes` `no` `1` `0`, dates in ISO 8601 (a date alone is midnight in UTC, a time without zone is UTC),
  /// UUIDs, URIs, Base64.
  ///
  /// The attribute's own limits are not checked; they count when an object is saved.
  ///
  /// - Throws: ``ValueConversionError`` with `value-type` or `value-out-of-range`.
  public func value(fromText text: String) throws(ValueConversionError) -> Value {
    do {
      return try checkingArchive(try AttributeValueReader(type: type).value(fromText: text))
    } catch {
      throw named(error)
    }
  }

  /// The value of JSON: `null` is the missing value, numbers and booleans are taken as they are, strings as
  /// text of the type, an object for a composite as its elements. A number is no date, since nothing says
  /// from when it counts.
  ///
  /// - Throws: ``ValueConversionError`` with `value-type` or `value-out-of-range`.
  public func value(fromJSON json: JSONValue) throws(ValueConversionError) -> Value {
    guard type == .composite, case .object(let members) = json else {
      do {
        return try checkingArchive(try AttributeValueReader(type: type).value(fromJSON: json))
      } catch {
        throw named(error)
      }
    }
    var values: [String: Value] = [:]
    for (key, member) in members.sorted(by: { $0.key < $1.key }) {
      guard let element = elements.first(where: { $0.name == key }) else {
        let known = elements.map(\.name)
        let near = NearestNames.names(near: key, among: known)
        var error = ValueConversionError(
          code: .unknownKey, value: key,
          message: "\(entity.name) has no element \"\(keyPath).\(key)\".",
          hint: near.first.map { "Did you mean \"\($0)\"?" } ?? "Known: \(known.joined(separator: ", ")).")
        error.element = "\(keyPath).\(key)"
        throw error
      }
      values[key] = try element.value(fromJSON: member)
    }
    return .dictionary(values)
  }

  /// Refuses bytes that the default archive could not be read from.
  private func checkingArchive(_ value: Value) throws(ValueConversionError) -> Value {
    guard type == .transformable, case .data(let data) = value, TransformerName.isDefault(transformerName)
    else { return value }
    do throws(ValueArchive.Failure) {
      _ = try ValueArchive.value(of: data)
    } catch  where error.isDamage {
      throw ValueConversionError(
        code: .type, value: "\(data.count) bytes",
        message: "The \(data.count) bytes are no archive of a value. \(error.message)")
    } catch {
      // An object of a class that only its program knows: kept as it is.
    }
    return value
  }

  private func named(_ error: ValueConversionError) -> ValueConversionError {
    var error = error
    error.message = "\(description): \(error.message)"
    if keyPath != name { error.element = keyPath }
    return error
  }
}

/// Conversion error: a text or JSON value that is no value of an attribute.
///
/// ```swift
/// if let badge = try model.entity(named: "Employee").attribute(named: "badge") {
///   do {
///     print(try badge.value(fromText: "seven"))
///   } catch {
///     print(error.message)  // Employee.badge: "seven" is not a whole number.
///   }
/// }
/// ```
public struct ValueConversionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kind of a problem; the raw value is the stable code.
  public enum Code: String, Hashable, Sendable {
    /// It is no value of the attribute's type.
    case type = "value-type"
    /// It is a number beyond the range of the attribute's type.
    case outOfRange = "value-out-of-range"
    /// It names an element that a composite attribute does not have.
    case unknownKey = "unknown-key"
  }

  /// The kind of the problem.
  public var code: Code
  /// The offending value as text.
  public var value: String
  /// The message, as a sentence.
  public var message: String
  /// Advice on what to write instead, as a sentence, where that is not obvious.
  public var hint: String?

  /// The path of the element of a composite attribute that has the problem.
  public var element: String?

  package init(code: Code, value: String, message: String, hint: String? = nil, element: String? = nil) {
    self.code = code
    self.value = value
    self.message = message
    self.hint = hint
    self.element = element
  }

  /// The number of the code: 136017 for a type, 136020 for a range, 136011 for an element that there is not.
  public var number: Int {
    switch code {
    case .type: 136_017
    case .outOfRange: 136_020
    case .unknownKey: 136_011
    }
  }

  /// The sentence.
  public var description: String { message }
}

extension ValueConversionError: LocalizedError {
  /// The error as ``description`` has it.
  public var errorDescription: String? { description }
}
