import Foundation
import Synchronization

/// The version hashes of entities and properties: SHA-256 over a canonical text.
///
/// The text has one line an item, `key value`, in the order below. Strings are JSON strings, hashes
/// lower-case hexadecimal, an absent value is `-`; every line ends with a line feed.
///
/// An entity: `entity NAME`, `abstract true|false`, `parent HASH`, `property HASH` for each own stored
/// property by the bytes of their names, `constraint ["NAME",…]` for each own constraint with sorted names,
/// in sorted order, `modifier TEXT`.
///
/// An attribute: `attribute NAME`, `optional true|false`, `modifier TEXT`, `type WORD`, `derivation TEXT`,
/// `element HASH` for each element of a composite by the bytes of their names.
///
/// A relationship: `relationship NAME`, `optional true|false`, `modifier TEXT`, `destination NAME`,
/// `inverse NAME`, `many true|false`, `ordered true|false`, `minimum N`, `maximum N`.
///
/// A fetched property: `fetched NAME`; it enters no entity's hash.
enum VersionHash {
  /// A hash that is made when it is first asked for. Threads that ask at once may each make it: it is the
  /// same.
  struct Cache: ~Copyable, Sendable {
    private let known = Mutex<[UInt8]?>(nil)

    func bytes(of text: () -> [UInt8]) -> [UInt8] {
      if let known = known.withLock({ $0 }) { return known }
      let made = SHA256.hash(text())
      known.withLock { $0 = made }
      return made
    }
  }

  static func text(of entity: EntityDescription) -> [UInt8] {
    var text = CanonicalText()
    text.add("entity", string: entity.name)
    text.add("abstract", entity.isAbstract)
    text.add("parent", hash: entity.superentity?.digest)
    for property in byName(entity.ownProperties)
    where !property.isTransient && !(property is FetchedPropertyDescription) {
      text.add("property", hash: property.digest)
    }
    let constraints = Set(
      entity.ownUniquenessConstraints.map { constraint in
        constraint.map { JSONWriter.quoted($0.name) }.sorted(by: precedes).joined(separator: ",")
      })
    for constraint in constraints.sorted(by: precedes) { text.add("constraint", raw: "[\(constraint)]") }
    text.add("modifier", string: entity.versionHashModifier)
    return text.bytes
  }

  static func text(of property: PropertyDescription) -> [UInt8] {
    var text = CanonicalText()
    switch property {
    case let attribute as AttributeDescription:
      text.add("attribute", string: attribute.name)
      text.add("optional", attribute.isOptional)
      text.add("modifier", string: attribute.versionHashModifier)
      text.add("type", raw: attribute.type.rawValue)
      text.add("derivation", string: attribute.derivation)
      for element in byName(attribute.elements) { text.add("element", hash: element.digest) }
    case let relationship as RelationshipDescription:
      text.add("relationship", string: relationship.name)
      text.add("optional", relationship.isOptional)
      text.add("modifier", string: relationship.versionHashModifier)
      text.add("destination", string: relationship.destination.name)
      text.add("inverse", string: relationship.inverse?.name)
      text.add("many", relationship.isToMany)
      text.add("ordered", relationship.isOrdered)
      text.add("minimum", raw: String(relationship.minCount))
      text.add("maximum", raw: String(relationship.maxCount))
    default: text.add("fetched", string: property.name)
    }
    return text.bytes
  }

  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func byName<Property: PropertyDescription>(
    _ properties: some Sequence<Property>
  ) -> [Property] {
    properties.sorted { precedes($0.name, $1.name) }
  }
}

/// Canonical serialization: lines of `key value`.
private struct CanonicalText {
  private(set) var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(128) }

  mutating func add(_ key: String, raw: String) {
    add(key) { $0.append(contentsOf: raw.utf8) }
  }

  mutating func add(_ key: String, string: String?) {
    guard let string else { return add(key, raw: "-") }
    add(key) { JSONWriter.quote(string, to: &$0) }
  }

  mutating func add(_ key: String, _ flag: Bool) { add(key, raw: flag ? "true" : "false") }

  mutating func add(_ key: String, hash: [UInt8]?) {
    guard let hash else { return add(key, raw: "-") }
    add(key) { bytes in
      for byte in hash {
        bytes.append(byte.highDigit)
        bytes.append(byte.lowDigit)
      }
    }
  }

  private mutating func add(_ key: String, _ value: (inout [UInt8]) -> Void) {
    bytes.append(contentsOf: key.utf8)
    bytes.append(UInt8(ascii: " "))
    value(&bytes)
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension EntityDefinition {
  /// The part of the definition that enters the version hash, besides the parent's own, in an order of its
  /// own: two entities whose parents are alike have equal hashes exactly when these are equal.
  var hashedPart: EntityDefinition {
    EntityDefinition(
      name, parent: parent, isAbstract: isAbstract,
      attributes: attributes.filter { !$0.isTransient }.map(\.hashedPart).sorted {
        $0.name.precedes($1.name)
      },
      relationships: relationships.filter { !$0.isTransient }.map(\.hashedPart)
        .sorted { $0.name.precedes($1.name) },
      uniquenessConstraints: Set(uniquenessConstraints.map { $0.sorted { $0.precedes($1) } })
        .sorted { $0.lexicographicallyPrecedes($1) { $0.precedes($1) } },
      versionHashModifier: versionHashModifier)
  }
}

extension AttributeDefinition {
  /// The part of the definition that enters the version hash.
  var hashedPart: AttributeDefinition {
    AttributeDefinition(
      name, type, isOptional: isOptional, derivation: derivation,
      elements: elements.map(\.hashedPart).sorted { $0.name.precedes($1.name) },
      versionHashModifier: versionHashModifier)
  }
}

extension RelationshipDefinition {
  /// The part of the definition that enters the version hash.
  var hashedPart: RelationshipDefinition {
    RelationshipDefinition(
      name, to: destination, inverse: inverse, isToMany: isToMany, isOrdered: isOrdered,
      isOptional: isOptional, minCount: minCount, maxCount: isToMany ? maxCount : 0,
      versionHashModifier: versionHashModifier)
  }
}

extension String {
  fileprivate func precedes(_ other: String) -> Bool { VersionHash.precedes(self, other) }
}

extension Data {
  /// The bytes in lower-case hexadecimal.
  package var hexadecimal: String {
    unsafe String(unsafeUninitializedCapacity: count * 2) { text in
      for (position, byte) in self.enumerated() {
        unsafe text[position * 2] = byte.highDigit
        unsafe text[position * 2 + 1] = byte.lowDigit
      }
      return count * 2
    }
  }
}

extension UInt8 {
  /// The first of the two lower-case hexadecimal digits, in ASCII.
  var highDigit: UInt8 { Self.digit(self >> 4) }

  /// The second of the two lower-case hexadecimal digits, in ASCII.
  var lowDigit: UInt8 { Self.digit(self & 15) }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
  }
}
