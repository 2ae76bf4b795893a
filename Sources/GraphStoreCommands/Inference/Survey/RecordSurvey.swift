import GraphStore

/// What was seen of the records of all files, by entities.
final class RecordSurvey {
  /// The records of one entity.
  final class Group {
    let name: String
    let members: ObjectSurvey
    /// The files that they come from.
    var sources: [String] = []
    /// Whether they name their entity, as exports do.
    var namesEntity = false

    init(_ name: String) {
      self.name = name
      members = ObjectSurvey(entity: name, depth: 0, isNested: false)
    }
  }

  let kept: KeptValues
  private(set) var groups: [Group] = []
  private var positions: [String: Int] = [:]

  init(keeping kept: KeptValues) { self.kept = kept }

  /// The records of an entity, made where there are none yet.
  func group(named name: String, from source: String) -> Group {
    let position =
      positions[name]
      ?? {
        groups.append(Group(name))
        positions[name] = groups.count - 1
        return groups.count - 1
      }()
    let group = groups[position]
    if group.sources.last != source { group.sources.append(source) }
    return group
  }

  /// Takes a record.
  ///
  /// - Parameters:
  ///   - entity: That of records which do not name theirs.
  ///   - place: Where it stands.
  func add(
    _ members: [SampleMember], entity: String, from source: String, at place: @autoclosure () -> String
  ) throws {
    let named = Self.entity(namedIn: members)
    let group = group(named: named ?? entity, from: source)
    if named != nil { group.namesEntity = true }
    try group.members.add(members, at: place(), holder: 0, keeping: kept)
  }

  /// The entity that a record of an export names beside its id.
  static func entity(namedIn members: [SampleMember]) -> String? {
    guard let name = members.first(where: { $0.name == "entity" })?.value.keyText,
      let id = members.first(where: { $0.name == "id" || $0.name == "objectID" })?.value.keyText,
      let named = ValueClass.objectName(ofReference: id), named == name
    else { return nil }
    return name
  }
}
