import GraphStore

/// What workers belong to.
final class TeamObject: ManagedObject {
  static let name = AttributeKey<TeamObject, String>("name")
}

/// The many side of a team.
final class WorkerObject: ManagedObject {
  static let team = ToOneKey<WorkerObject, TeamObject>("team")
}
