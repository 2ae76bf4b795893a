/// What in-memory evaluation reads keys from: an object of the application.
///
/// Evaluation happens on the caller's thread; a source need not be `Sendable`. Public, so that objects of every module
/// can be sources; underscored like its members, which would stand in the completion lists of every object.
public protocol _PropertySource: AnyObject {
  /// The object's identity, with which `==`, IN and CONTAINS compare it; nil when it has none.
  var _objectReference: ObjectReference? { get }

  /// The value of a key. Throws ``QueryPredicateError`` with the code `unknown-key` for a key the object does
  /// not have.
  func _operand(forKey key: _PropertyKey) throws -> QueryOperand

  /// The number of members of a collection, when it can be told without making them; nil otherwise.
  func _count(forKey key: _PropertyKey) throws -> Int?

  /// Whether keys in sequence lead over a to-many, from this object or from where another path from it ends: where
  /// one before it has no value, the path has no members rather than no value.
  func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool

  /// The value of a key as a sort compares it: the value itself, but for a relationship whose objects have a place.
  func _sortOperand(forKey key: _PropertyKey) throws -> QueryOperand

  /// What a comparison of a key with a constant yields, told from the field as it lies in memory; nil where
  /// that cannot be told: the value is read and compared then.
  func _truth(of test: _FieldTest, forKey key: _PropertyKey) throws -> _Ternary?

  /// Everything a plain record holds, by name: it is compared and indexed as the dictionary it is. Nil for an object
  /// with an identity of its own.
  var _dictionary: [String: Value]? { get }
}

extension _PropertySource {
  /// Nil: the members are read and counted.
  public func _count(forKey key: _PropertyKey) throws -> Int? { nil }

  /// False: what a missing value would have led to is not known.
  public func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool { false }

  /// The value itself.
  public func _sortOperand(forKey key: _PropertyKey) throws -> QueryOperand { try _operand(forKey: key) }

  /// Nil: the value is read and compared.
  public func _truth(of test: _FieldTest, forKey key: _PropertyKey) throws -> _Ternary? { nil }

  /// Nil: the source is an object.
  public var _dictionary: [String: Value]? { nil }
}

/// The protocol's name in this package.
package typealias PropertySource = _PropertySource
