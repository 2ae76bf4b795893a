import Foundation
import GraphStoreModel
import GraphStorePredicates

extension PersistentStoreCoordinator {
  /// The identifier that a URI names, or nil where it cannot name a record of an open store.
  ///
  /// It does no I/O and does not check that the record exists. An entity name that the model does not have
  /// any more leads to the entity whose renaming identifier it is, so that URIs outlive a migration.
  public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
    guard uri.scheme == "x-coredata", let host = uri.host,
      let store = mounts.map(\.store).first(where: {
        $0.scope.uuid.caseInsensitiveCompare(host) == .orderedSame
      })
    else { return nil }
    let parts = uri.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: true)
    guard parts.count == 2, let entity = parts[0].removingPercentEncoding.flatMap(entity(everNamed:)),
      parts[1].first == "p", let key = store.scope.key(parts[1].dropFirst(), entity)
    else { return nil }
    return ManagedObjectID(scope: store.scope, entityIndex: entity.index, key: key)
  }

  /// The entity of a name, else the only one that had it in an earlier version.
  private func entity(everNamed name: String) -> EntityDescription? {
    if let entity = managedObjectModel.entitiesByName[name] { return entity }
    let renamed = managedObjectModel.entities.filter { $0.renamingIdentifier == name }
    return renamed.count == 1 ? renamed[0] : nil
  }

  /// The identifier that the short form `Employee/p12` names in the first open store that holds the entity,
  /// or nil.
  ///
  /// Where stores are open by names, `archive:Employee/p12` names one in a certain store, and has to where
  /// several hold the entity.
  public func managedObjectID(forShortForm text: String) -> ManagedObjectID? {
    var form = Substring(text)
    var name: Substring?
    if let colon = form.firstIndex(of: ":") {
      name = form[..<colon]
      form = form[form.index(after: colon)...]
    }
    let parts = form.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let entity = managedObjectModel.entitiesByName[String(parts[0])],
      let store = store(holding: entity, named: name), parts[1].first == "p",
      let key = store.scope.key(parts[1].dropFirst(), entity)
    else { return nil }
    return ManagedObjectID(scope: store.scope, entityIndex: entity.index, key: key)
  }

  /// The error of a short form or URI that names an object by its temporary identifier, where an object is to
  /// be found again; nil for any other text.
  package func refusal(ofTemporary text: String) -> GraphStoreError? {
    let isURI = text.hasPrefix("x-coredata:///")
    let form = isURI ? text.dropFirst("x-coredata:///".count) : text[...]
    let parts = form.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let entity = managedObjectModel.entitiesByName[String(parts[0])],
      parts[1].first == "t", parts[1].count > 1,
      parts[1].dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) || isURI })
    else { return nil }
    return GraphStoreError(
      .temporaryID, "\(text) is a temporary identifier, which ends with the save of its object.",
      remedy: "Save the object first, or obtain a permanent identifier.", entity: entity.name)
  }

  /// The store in which a short form names a record of an entity; nil where it might be several.
  private func store(holding entity: EntityDescription, named name: Substring?) -> (any PersistentStore)? {
    let mounts = mounts
    let holders = mounts.map(\.store).filter { $0.entities.holds(entity) }
    if let name { return holders.first { $0.scope.label.map { $0.name == name } ?? false } }
    guard let first = holders.first else { return mounts.first?.store }
    return holders.count > 1 && first.scope.label != nil ? nil : first
  }
}

extension PersistentStoreCoordinator {
  /// The reference that a text in a predicate names: a URI, or the short form `Employee/p12`.
  func objectReference(_ text: String) -> ObjectReference? {
    if text.hasPrefix("x-coredata:") {
      return URL(string: text).flatMap { managedObjectID(forURIRepresentation: $0) }.map {
        ObjectReference($0)
      }
    }
    return managedObjectID(forShortForm: text).map { ObjectReference($0) }
  }
}

extension CodingUserInfoKey {
  /// The ``PersistentStoreCoordinator`` whose identifiers a decoder makes.
  public static let persistentStoreCoordinator = CodingUserInfoKey(
    rawValue: "GraphStore.persistentStoreCoordinator")
}

extension ManagedObjectID: Codable {
  /// Writes the identifier as its URI. That of an unsaved object names it for as long as its context lives;
  /// nothing can be made of it again.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uriText)
  }

  /// Reads a URI. The decoder's `userInfo` has to have the coordinator under
  /// `CodingUserInfoKey.persistentStoreCoordinator`; whether the record exists is not checked.
  ///
  /// - Throws: `DecodingError` without a coordinator, and for what names no record of a store that is open
  ///   there.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let coordinator = CodingUserInfoKey.persistentStoreCoordinator
      .flatMap { decoder.userInfo[$0] as? PersistentStoreCoordinator }
    guard let coordinator else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "An identifier is decoded with userInfo[.persistentStoreCoordinator].")
    }
    guard let id = URL(string: text).flatMap(coordinator.managedObjectID(forURIRepresentation:)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) names no record of a store of the coordinator.")
    }
    self = id
  }
}
