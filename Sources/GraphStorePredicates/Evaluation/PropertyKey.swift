/// A key as it is asked of a source: a name and room for what the source found under it.
///
/// An evaluator makes one for each place in its predicate, so a source that keeps the number of the property it
/// found, with the owner the number belongs to, looks a name up once per pass and entity. Not `Sendable`:
/// it belongs to one evaluator.
public final class _PropertyKey {
  /// The key.
  public let name: String
  /// Whether the key is `self`, what it is asked of.
  let isSelf: Bool
  @usableFromInline @safe @exclusivity(unchecked) var owner: ObjectIdentifier?
  @usableFromInline @safe @exclusivity(unchecked) var number = 0
  /// What a source that numbers its owners itself keeps of where it found the value; 0 at first.
  @safe @exclusivity(unchecked) public var place: UInt64 = 0
  /// What a source keeps under the key for the rest of a sort.
  @safe @exclusivity(unchecked) public var memory: AnyObject?

  /// Makes a key of a name.
  public init(_ name: String) {
    self.name = name
    isSelf = name == "self" || name == "SELF"
  }

  /// The number kept for an owner, or the one that `find` gives, which is then kept; nil when there is none.
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

  /// Keeps a number for an owner in place of any other. The owner must outlive the evaluator.
  public func keep(_ number: Int, for owner: AnyObject) {
    self.owner = ObjectIdentifier(owner)
    self.number = number
  }
}

/// The class's name in this package.
package typealias PropertyKey = _PropertyKey
