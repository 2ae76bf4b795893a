import Foundation

extension CodingUserInfoKey {
  /// The ``PersistentStoreCoordinator`` whose identifiers a decoder makes.
  public static let persistentStoreCoordinator = CodingUserInfoKey(
    rawValue: "GraphStore.persistentStoreCoordinator")
}

extension ManagedObjectID: Codable {
  /// Writes the identifier as its URI. That of an unsaved object names it for as long as its context lives; nothing can be
  /// made of it again.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(uriText)
  }

  /// Reads a URI. The decoder's `userInfo` has to have the coordinator under
  /// `CodingUserInfoKey.persistentStoreCoordinator`; whether the record exists is not looked at.
  ///
  /// - Throws: `DecodingError` without a coordinator, and for what names no record of a store that is open there.
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
