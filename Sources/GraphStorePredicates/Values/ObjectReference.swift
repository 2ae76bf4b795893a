/// One object named in a value: a one-word box around an identifier.
///
/// Two references are equal when their identifiers have the same type and are equal, or when one of them is
/// known only by its URI and the URIs are the same, as in a tree that was printed and read back.
///
/// ```swift
/// let reference = ObjectReference(employee.objectID)
/// print(reference.uriText, reference.identifier(as: ManagedObjectID.self) == employee.objectID)
/// ```
public struct ObjectReference: Hashable, Sendable {
  private final class Box: Sendable {
    let identifier: any ObjectIdentifying
    let hash: Int
    let isUnresolved: Bool

    init(_ identifier: some ObjectIdentifying) {
      isUnresolved = identifier is UnresolvedObjectIdentifier
      self.identifier = identifier
      hash = identifier.recordHash
    }
  }

  private let box: Box

  /// Makes a reference to the object that an identifier names.
  public init(_ identifier: some ObjectIdentifying) {
    box = Box(identifier)
  }

  /// The identifier, of any type.
  public var identifier: any ObjectIdentifying { box.identifier }

  /// The identifier when it has the passed type, otherwise nil.
  public func identifier<Identifier: ObjectIdentifying>(as type: Identifier.Type) -> Identifier? {
    box.identifier as? Identifier
  }

  /// The identifier's URI, made on each call.
  public var uriText: String { box.identifier.uriText }

  /// Whether both references name the same record, also when one is known only by its URI.
  public func namesSameRecord(as other: ObjectReference) -> Bool {
    if self == other { return true }
    guard isUnresolved || other.isUnresolved else { return false }
    return uriText == other.uriText
  }

  /// Whether the reference is known by its URI alone and no store has been asked for it yet.
  public var isUnresolved: Bool { box.isUnresolved }

  /// Whether both are equal, as the type says.
  public static func == (left: ObjectReference, right: ObjectReference) -> Bool {
    if left.box === right.box { return true }
    guard left.box.hash == right.box.hash else { return false }
    if isEqual(left.box.identifier, right.box.identifier) { return true }
    return left.isUnresolved != right.isUnresolved && left.uriText == right.uriText
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(box.hash)
  }

  private static func isEqual<Identifier: ObjectIdentifying>(
    _ left: Identifier, _ right: any ObjectIdentifying
  ) -> Bool {
    (right as? Identifier) == left
  }
}

/// Identifier of one object: the protocol a store's object identifiers conform to so that they can be carried
/// in a ``Value``.
public protocol ObjectIdentifying: Hashable, Sendable {
  /// The identifier's URI, made on demand.
  var uriText: String { get }
  /// A hash that all identifiers of one record have in common, whatever their type: the number of the URI's
  /// last part.
  var recordHash: Int { get }
  /// Whether the object precedes another one where objects are sorted by `objectID`.
  func precedes(_ other: Self) -> Bool
}

extension ObjectIdentifying {
  /// The number in `p12`, the last part of the URI; the hash of that part when it is no such number.
  public var recordHash: Int {
    let last = uriText.split(separator: "/").last ?? ""
    if last.first == "p", let number = Int(last.dropFirst()) { return number }
    return last.hashValue
  }

  /// By the texts of the URIs.
  public func precedes(_ other: Self) -> Bool {
    TextFolding.none.order(uriText, other.uriText) < 0
  }
}

/// An object identifier read from text, known by its URI until a store resolves it.
public struct UnresolvedObjectIdentifier: ObjectIdentifying {
  /// The URI as it was written.
  public let uriText: String

  /// Makes an identifier from the text of a URI, which is not checked.
  public init(uriText: String) {
    self.uriText = uriText
  }
}
