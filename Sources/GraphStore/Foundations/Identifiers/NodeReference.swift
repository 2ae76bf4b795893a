import Foundation

/// Reference by which a store that a program has written knows an object: a whole number, or a text.
///
/// It is a part of the object's identifier. The identifier's URI ends in `p` and the number, or in `p` and
/// the percent-encoded text, so that it names the object in later sessions too.
///
/// ```swift
/// let id = NodeIdentifier(entity: "Employee", reference: "grace-hopper")
/// print(id)  // Employee/pgrace-hopper
/// print(NodeIdentifier(entity: "Employee", reference: 12))  // Employee/p12
/// ```
public enum NodeReference: Sendable {
  /// A whole number; those that the library gives are positive.
  case integer(Int64)
  /// A text, which is not empty.
  case text(String)
}

extension NodeReference: Hashable {
  /// Whether both are the same number, or the same text scalar by scalar.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let number): hasher.combine(number)
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    }
  }
}

extension NodeReference: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// A number.
  public init(integerLiteral number: Int64) { self = .integer(number) }

  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }
}

extension NodeReference: CustomStringConvertible {
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  /// What follows `p` in a URI: the number, or the percent-encoded text.
  ///
  /// Of a text that reads as a number the first character is encoded too, which distinguishes it from that.
  public var description: String {
    switch self {
    case .integer(let number): return "\(number)"
    case .text(let text):
      let encoded = text.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? text
      guard Int64(text) != nil, let first = text.utf8.first, encoded.utf8.first == first else {
        return encoded
      }
      return "%" + String(first, radix: 16, uppercase: true) + encoded.dropFirst()
    }
  }

  /// The reference that a URI names by what follows `p`; nil where that is none.
  package init?(uriText: some StringProtocol) {
    if let number = Int64(uriText) {
      guard String(number) == uriText else { return nil }
      self = .integer(number)
    } else {
      guard let text = uriText.removingPercentEncoding, !text.isEmpty else { return nil }
      self = .text(text)
    }
  }
}

extension NodeReference: Codable {
  /// Writes a number or a text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }

  /// Reads a number or a text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self = .integer(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }
}
