import Foundation

/// Reference to an object that outlives its context once the object is saved.
///
/// It is made of any object, saved or not, and gives the object's URI when it is asked: for one that was not
/// saved yet it keeps the object, so that after the save it gives the permanent one, without being renewed.
/// Encoded, for a clipboard or the settings of a program, it is the URI as text.
///
/// ```swift
/// let new = try context.insert(Employee.self)
/// new.name = "Hedy Lamarr"
/// let bookmark = ObjectBookmark(new)
/// print(bookmark.isTemporary)  // true
/// try context.save()
/// let uri = bookmark.uriRepresentation
/// print(bookmark.isTemporary, try context.object(forURIRepresentation: uri) === new)  // false true
/// ```
///
/// It belongs to the queue of the object's context until it is not temporary any more. A URI leads to its
/// object where the store is open, by ``ManagedObjectContext/object(forURIRepresentation:)``; elsewhere
/// values are what can be passed on, by ``ManagedObject/copyDictionary(attributes:)`` or an export.
public final class ObjectBookmark: Encodable {
  private var known: ManagedObjectID
  /// The object, as long as its identifier is temporary.
  private var object: ManagedObject?

  /// Makes a reference to an object.
  public init(_ object: ManagedObject) {
    known = object.objectID
    if known.isTemporaryID { self.object = object }
  }

  /// The identifier that the object has now.
  public var objectID: ManagedObjectID {
    guard let object else { return known }
    known = object.objectID
    if !known.isTemporaryID { self.object = nil }
    return known
  }

  /// Whether the object was not saved yet, so that its URI leads nowhere.
  public var isTemporary: Bool { objectID.isTemporaryID }

  /// The URI that the object has now.
  public var uriRepresentation: URL { objectID.uriRepresentation }

  /// Encodes the URI as text.
  ///
  /// - Throws: `temporary-id` as long as it is temporary.
  public func encode(to encoder: any Encoder) throws {
    let id = objectID
    if id.isTemporaryID { throw id.refusalOfTemporary() }
    var container = encoder.singleValueContainer()
    try container.encode(id.uriText)
  }
}
