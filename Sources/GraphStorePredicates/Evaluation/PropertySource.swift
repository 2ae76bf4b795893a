/// Source from which in-memory evaluation reads keys: an object of the application.
///
/// Evaluation happens on the caller's thread; a source need not be `Sendable`. Public, so that objects of
/// every module can be sources; underscored like its members, which would be in the completion lists of every
/// object.
public protocol _PropertySource: AnyObject {
  /// The object's identity, with which `==`, IN and CONTAINS compare it; nil when it has none.
  var _objectReference: ObjectReference? { get }

  /// The value of a key. Throws ``QueryPredicateError`` with the code `unknown-key` for a key the object does
  /// not have.
  func _operand(forKey key: _PropertyKey) throws -> QueryOperand

  /// The number of members of a collection, when it is known without making them; nil otherwise.
  func _count(forKey key: _PropertyKey) throws -> Int?

  /// Whether keys in sequence lead over a to-many, from this object or from where another path from it ends:
  /// where one before it has no value, the path has no members rather than no value.
  func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool

  /// The value of a key as a sort compares it: the value itself, but for a relationship whose objects have a
  /// place.
  func _sortOperand(forKey key: _PropertyKey) throws -> QueryOperand

  /// The truth value of a comparison of a key with a constant, decided from the field as it is stored in
  /// memory; nil where that cannot be decided: the value is read and compared then.
  func _truth(of test: _FieldTest, forKey key: _PropertyKey) throws -> _Ternary?

  /// Everything a plain record holds, by name: it is compared and indexed as the dictionary it is. Nil for an
  /// object with an identity of its own.
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

/// Inline cache of a key in a predicate: its name and room for what a source found under it.
///
/// An evaluator makes one for each occurrence in its predicate, so a source that keeps the number of the
/// property it found, with the owner the number belongs to, looks a name up once per pass and entity. Not
/// `Sendable`: it belongs to one evaluator.
public final class _PropertyKey {
  /// The key.
  public let name: String
  /// Whether the key is `self`, what it is asked of.
  let isSelf: Bool
  @usableFromInline @safe @exclusivity(unchecked) var owner: ObjectIdentifier?
  @usableFromInline @safe @exclusivity(unchecked) var number = 0
  /// The location of the value that a source which numbers its owners itself keeps; 0 at first.
  @safe @exclusivity(unchecked) public var place: UInt64 = 0
  /// Data that a source keeps under the key for the rest of a sort.
  @safe @exclusivity(unchecked) public var memory: AnyObject?

  /// Makes a key of a name.
  public init(_ name: String) {
    self.name = name
    isSelf = name == "self" || name == "SELF"
  }

  /// The number kept for an owner, or the one that `find` returns, which is then kept; nil when there is
  /// none.
  @inlinable
  public func number(in owner: AnyObject, find: (String) throws -> Int?) rethrows -> Int? {
    if let number = keptNumber(for: owner) { return number }
    guard let found = try find(name) else { return nil }
    keep(found, for: owner)
    return found
  }

  /// The number kept for an owner, when there is one.
  @inlinable
  public func keptNumber(for owner: AnyObject) -> Int? {
    self.owner == ObjectIdentifier(owner) ? number : nil
  }

  /// Keeps a number for an owner replacing any other. The owner must outlive the evaluator.
  public func keep(_ number: Int, for owner: AnyObject) {
    self.owner = ObjectIdentifier(owner)
    self.number = number
  }
}

/// The class's name in this package.
package typealias PropertyKey = _PropertyKey
