import GraphStore

/// What workers belong to.
final class TeamObject: ManagedObject {
  static let name = AttributeKey<String>("name")
}

/// The many side of a team.
final class WorkerObject: ManagedObject {
  func team() throws -> TeamObject? { try object(forKey: "team") as? TeamObject }
}
