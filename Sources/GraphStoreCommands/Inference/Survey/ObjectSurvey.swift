/// What was seen of the members of objects: of the records of a file, or of objects within them.
final class ObjectSurvey {
  /// More names than this are data, and no properties.
  static let nameLimit = 512

  /// What was seen of the keys of objects within records.
  struct Identity {
    /// The member that identifies.
    var key: String
    /// Whether objects of one key differ, or lie twice in one list: then the key is of no use outside.
    var isLocal = false
    /// Whether several things hold one object.
    var isShared = false
    /// Whether an object lacks it.
    var isMissing = false
    /// Under which number the keys are kept.
    var number: Int
  }

  /// The entity that the objects would be of.
  let entity: String
  let depth: Int
  /// How many there are.
  private(set) var count = 0
  /// The fields, in the order in which they were met.
  private(set) var fields: [FieldSurvey] = []
  private var positions: [String: Int] = [:]
  /// Whether there are more names than there can be properties.
  private(set) var isOpen = false
  private(set) var identity: Identity?
  private let isNested: Bool

  init(entity: String, depth: Int, isNested: Bool) {
    self.entity = entity
    self.depth = depth
    self.isNested = isNested
  }

  /// What was seen of a field.
  func field(named name: String) -> FieldSurvey? { positions[name].map { fields[$0] } }

  /// Makes sure that a field is known, though no record may have a value of it.
  func expect(_ name: String, keeping kept: KeptValues) { _ = survey(of: name, kept) }

  /// Takes an object.
  func add(
    _ members: [SampleMember], at place: @autoclosure () -> String, holder: Int, keeping kept: KeptValues
  ) throws {
    count += 1
    for member in members {
      guard let field = survey(of: member.name, kept) else { continue }
      try field.add(member.value, at: place(), holder: holder, keeping: kept)
    }
    if isNested { try identify(members, holder: holder, keeping: kept) }
  }

  private func survey(of name: String, _ kept: KeptValues) -> FieldSurvey? {
    if let position = positions[name] { return fields[position] }
    guard !isNested || fields.count < Self.nameLimit else {
      isOpen = true
      return nil
    }
    let field = FieldSurvey(name, owner: entity, depth: depth, kept)
    positions[name] = fields.count
    fields.append(field)
    return field
  }

  private func identify(_ members: [SampleMember], holder: Int, keeping kept: KeptValues) throws {
    let key = members.first { KeyNames.isKey($0.name, of: entity) && $0.value.keyText != nil }
    if count == 1, let key { identity = Identity(key: key.name, number: kept.newNumber()) }
    guard let known = identity else { return }
    guard let text = members.first(where: { $0.name == known.key })?.value.keyText else {
      identity?.isMissing = true
      return
    }
    switch try kept.meet(text, of: known.number, content: members.hashValue, holder: holder) {
    case .first: break
    case .again: identity?.isShared = true
    case .different: identity?.isLocal = true
    }
  }

  /// The member by which objects within records are told apart; nil where they have no identity.
  var identifyingKey: String? {
    guard let identity, !identity.isMissing, !identity.isLocal else { return nil }
    return identity.key
  }
}
