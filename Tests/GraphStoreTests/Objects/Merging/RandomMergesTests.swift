import Testing

@testable import GraphStore

/// Contexts of two coordinators over one store that change, save and merge in any order, against a model of
/// what each of them has to show once it has merged everything.
@Suite(.everyStore)
struct RandomMergesTests {
  @Test(
    "CTX-258 to CTX-273: whatever is merged in which order, contexts agree with the store in the end",
    arguments: TestSeed.sequence(8))
  func agreement(_ seed: TestSeed) throws {
    var run = try MergingRun(seed)
    for step in 0..<120 {
      let action = try run.step()
      guard run.findings.isEmpty else {
        Issue.record("\(seed), step \(step) (\(action)): \(run.findings.prefix(4))\n\(run.log.suffix(20))")
        return
      }
    }
    try run.finish()
    #expect(run.findings.isEmpty, "\(seed) at the end: \(run.findings.prefix(4))\n\(run.log.suffix(20))")
  }
}

/// What a record has to be; names are never used twice.
private struct ExpectedRecord {
  let entity: String
  var name: Int64
  var links: [String: ManagedObjectID] = [:]
}

/// Unsaved changes that a context has to have of a record.
private struct ExpectedChanges {
  var name: Int64?
  /// A nil value is an emptied link.
  var links: [String: ManagedObjectID?] = [:]
}

private struct MergingRun {
  /// A context with what it has to know.
  final class Peer {
    let number: Int
    let context: ManagedObjectContext
    var waiting: [SavedChanges] = []
    var inserted: [ManagedObjectID: ExpectedRecord] = [:]
    var changed: [ManagedObjectID: ExpectedChanges] = [:]
    var deleted: Set<ManagedObjectID> = []
    var held: [ManagedObject] = []

    init(_ number: Int, _ context: ManagedObjectContext) {
      self.number = number
      self.context = context
    }
  }

  static let model = ModelDefinition(
    name: "Merging",
    entities: [
      EntityDefinition(
        "Team", attributes: [AttributeDefinition("name", .int64)],
        relationships: [RelationshipDefinition("members", to: "Worker", inverse: "team", isToMany: true)]),
      EntityDefinition(
        "Worker", attributes: [AttributeDefinition("name", .int64)],
        relationships: [
          RelationshipDefinition("team", to: "Team", inverse: "members"),
          RelationshipDefinition("lead", to: "Worker", inverse: "led"),
          RelationshipDefinition("led", to: "Worker", inverse: "lead", isToMany: true),
        ]),
    ])
  static let toMany = [("Team", "members", "team"), ("Worker", "led", "lead")]

  var random: SeededGenerator
  /// Whether saves are merged in their order, so that no merge meets what a later one has settled.
  let isInOrder: Bool
  let stack: TestStack
  let peers: [Peer]
  var store: [ManagedObjectID: ExpectedRecord] = [:]
  var nextName: Int64 = 0
  var findings: [String] = []
  var log: [String] = []

  init(_ seed: TestSeed) throws {
    random = seed.generator
    isInOrder = random.chance(50)
    stack = try TestStack(Self.model)
    let contexts = [
      stack.context, stack.newContext(), stack.newContext(), try stack.otherProcess(),
    ]
    peers = contexts.enumerated().map { Peer($0, $1) }
    // Two listen, two do not.
    tokens = [peers[0], peers[3]].map { $0.context.observe(.objectsDidChange) { _ in } }
  }

  private let tokens: [ContextObservation]

  // MARK: Steps

  mutating func step() throws -> String {
    let peer = random.pick(peers)
    let action: String
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<18: action = try insert(peer)
    case 18..<36: action = try rename(peer)
    case 36..<50: action = try link(peer)
    case 50..<57: action = try delete(peer)
    case 57..<70: action = try save(peer)
    case 70..<85: action = try mergeOne(peer)
    case 85..<92: action = try hold(peer)
    default: action = try compare(peer)
    }
    try peer.context.processPendingChanges()
    log.append("\(peer.number): \(action)")
    for peer in peers {
      do { try peer.context.checkInvariants() } catch { findings.append("\(peer.number): \(error)") }
    }
    return action
  }

  mutating func finish() throws {
    for peer in peers { _ = try save(peer) }
    for peer in peers {
      _ = try compare(peer)
      let changed = peer.context.insertedObjects + peer.context.updatedObjects + peer.context.deletedObjects
      if isInOrder, try !changed.allSatisfy(hasLostLinks) {
        findings.append("\(peer.number) has changes after a merge")
      }
    }
  }

  /// Whether nothing has changed but that the object has lost links to what others have deleted (CTX-264).
  private func hasLostLinks(_ object: ManagedObject) throws -> Bool {
    guard object.isUpdated, !object.isDeleted else { return false }
    let (present, former) = (try object.changedValues(), try object.committedValues())
    return object.changedKeys.allSatisfy { key in
      let (present, former) = (Self.objects(present[key]), Self.objects(former[key]))
      return !former.isEmpty && present.isSubset(of: former)
        && former.subtracting(present).allSatisfy(\.isDeleted)
    }
  }

  /// The destinations of a relationship; none for an attribute.
  private static func objects(_ value: Any??) -> Set<ManagedObject> {
    switch value {
    case .some(.some(let members as Set<ManagedObject>)): members
    case .some(.some(let object as ManagedObject)): [object]
    default: []
    }
  }

  private mutating func newName() -> Int64 {
    nextName += 1
    return nextName
  }

  private mutating func insert(_ peer: Peer) throws -> String {
    let entity = random.pick(["Team", "Worker", "Worker"])
    let name = newName()
    let object = try peer.context.insert(entity, ["name": name])
    peer.inserted[object.objectID] = ExpectedRecord(entity: entity, name: name)
    peer.held.append(object)
    return "insert \(object.objectID)"
  }

  /// An object of the peer, as likely as not one that is held since long.
  private mutating func object(_ peer: Peer, _ entity: String? = nil) throws -> ManagedObject? {
    let known = random.chance(50) ? peer.held : try ["Team", "Worker"].flatMap { try peer.context.all($0) }
    let usable = known.filter { $0.isPresent && (entity == nil || $0.entity.name == entity) }
    guard !usable.isEmpty else { return nil }
    let object = random.pick(usable.sorted { $0.objectID < $1.objectID })
    return object
  }

  private mutating func rename(_ peer: Peer) throws -> String {
    guard let object = try object(peer) else { return "nothing" }
    let name = newName()
    try object.setValue(name, forKey: "name")
    if object.isDeleted {
      // Its record is gone, as it turned out.
      return "rename what is gone"
    }
    if peer.inserted[object.objectID] != nil {
      peer.inserted[object.objectID]?.name = name
    } else {
      peer.changed[object.objectID, default: ExpectedChanges()].name = name
    }
    return "rename \(object.objectID) to \(name)"
  }

  private mutating func link(_ peer: Peer) throws -> String {
    try mergeAll(peer)
    let key = random.pick(["team", "lead"])
    guard let worker = try object(peer, "Worker"),
      let other = try object(peer, key == "team" ? "Team" : "Worker")
    else { return "nothing" }
    let destination = random.chance(20) ? nil : other
    try worker.setValue(destination, forKey: key)
    if peer.inserted[worker.objectID] != nil {
      peer.inserted[worker.objectID]?.links[key] = destination?.objectID
    } else {
      setLink(peer, worker.objectID, key, destination?.objectID)
    }
    return "link \(worker.objectID).\(key) to \(destination.map { "\($0.objectID)" } ?? "nil")"
  }

  /// A link that leads where the store's does is none of the peer's own.
  private func setLink(_ peer: Peer, _ id: ManagedObjectID, _ key: String, _ destination: ManagedObjectID?) {
    if store[id]?.links[key] == destination {
      peer.changed[id]?.links.removeValue(forKey: key)
    } else {
      peer.changed[id, default: ExpectedChanges()].links.updateValue(destination, forKey: key)
    }
  }

  private mutating func delete(_ peer: Peer) throws -> String {
    try mergeAll(peer)
    guard let object = try object(peer) else { return "nothing" }
    let id = object.objectID
    try peer.context.delete(object)
    try peer.context.processPendingChanges()
    for (other, record) in view(of: peer) {
      for (key, destination) in record.links where destination == id && other != id {
        if peer.inserted[other] != nil {
          peer.inserted[other]?.links[key] = nil
        } else {
          setLink(peer, other, key, nil)
        }
      }
    }
    if peer.inserted.removeValue(forKey: id) == nil { peer.deleted.insert(id) }
    peer.changed[id] = nil
    return "delete \(id)"
  }

  private mutating func hold(_ peer: Peer) throws -> String {
    if random.chance(30) {
      peer.held.removeAll { !$0.hasChanges }
      return "let go"
    }
    peer.held += try peer.context.all(random.pick(["Team", "Worker"]))
    return "hold"
  }

  // MARK: Saving

  private mutating func save(_ peer: Peer) throws -> String {
    try mergeAll(peer)
    let new = peer.context.insertedObjects.map { ($0.objectID, $0) }
    guard peer.context.hasChanges else { return "save nothing" }
    var changes: SavedChanges?
    let token = peer.context.observe(.didSave) { changes = SavedChanges($0) }
    do { try peer.context.save() } catch {
      findings.append("\(peer.number) cannot save: \(error)")
      return "save"
    }
    token.cancel()
    var permanent: [ManagedObjectID: ManagedObjectID] = [:]
    for (former, object) in new { permanent[former] = object.objectID }
    apply(peer, permanent)
    try compareStore()
    if let changes { for other in peers where other !== peer { other.waiting.append(changes) } }
    return "save"
  }

  /// Makes the peer's changes the store's.
  private mutating func apply(_ peer: Peer, _ permanent: [ManagedObjectID: ManagedObjectID]) {
    func saved(_ id: ManagedObjectID) -> ManagedObjectID { permanent[id] ?? id }
    for (id, changes) in peer.changed where store[id] != nil {
      if let name = changes.name { store[id]?.name = name }
      for (key, destination) in changes.links { store[id]?.links[key] = destination.map(saved) }
    }
    for (id, record) in peer.inserted {
      var record = record
      record.links = record.links.mapValues(saved)
      store[saved(id)] = record
    }
    for id in peer.deleted { store[id] = nil }
    store = Self.withoutLostLinks(store)
    (peer.inserted, peer.changed, peer.deleted) = ([:], [:], [])
  }

  // MARK: Merging

  private mutating func mergeOne(_ peer: Peer) throws -> String {
    guard !peer.waiting.isEmpty else { return "merge nothing" }
    let place = isInOrder ? 0 : Int.random(in: 0..<peer.waiting.count, using: &random)
    let changes = peer.waiting[place]
    if !random.chance(20) { peer.waiting.remove(at: place) }
    try peer.context.mergeChanges(fromContextDidSave: changes)
    try adjust(peer, to: changes)
    return "merge \(changes.inserted.count) \(changes.updated.count) \(changes.deleted.count)"
  }

  private mutating func mergeAll(_ peer: Peer) throws {
    while !peer.waiting.isEmpty {
      let place = isInOrder ? 0 : Int.random(in: 0..<peer.waiting.count, using: &random)
      let changes = peer.waiting.remove(at: place)
      try peer.context.mergeChanges(fromContextDidSave: changes)
      try adjust(peer, to: changes)
    }
  }

  /// What a merge makes of the changes that the peer has to have.
  private func adjust(_ peer: Peer, to saved: SavedChanges) throws {
    for id in saved.updated {
      for (key, destination) in peer.changed[id]?.links ?? [:] { setLink(peer, id, key, destination) }
    }
    for id in saved.deleted {
      peer.changed[id] = nil
      peer.deleted.remove(id)
      for other in Array(peer.changed.keys) {
        for (key, destination) in peer.changed[other]?.links ?? [:] where destination == id {
          setLink(peer, other, key, nil)
        }
      }
      for other in Array(peer.inserted.keys) {
        for (key, destination) in peer.inserted[other]?.links ?? [:] where destination == id {
          peer.inserted[other]?.links[key] = nil
        }
      }
    }
    if !saved.deleted.isEmpty { try adjustLostLinks(peer) }
  }

  /// A link that a merge has cut is a change where the context has read it, and none where it has read of no
  /// link, or of one that waits for its merge: as the context says.
  private func adjustLostLinks(_ peer: Peer) throws {
    let awaited = Set(peer.waiting.flatMap(\.updated))
    for id in awaited where store[id]?.entity == "Worker" && peer.inserted[id] == nil {
      let object = peer.context.registeredObject(for: id)
      for key in ["team", "lead"] {
        let isChanged = object?.changedKeys.contains(key) == true
        if isChanged, try object?.object(forKey: key) == nil {
          peer.changed[id, default: ExpectedChanges()].links[key] = .some(nil)
        } else if !isChanged, peer.changed[id]?.links[key] == .some(nil) {
          peer.changed[id]?.links[key] = .none
        }
      }
    }
  }

  // MARK: Comparing

  /// What the peer has to show once it has merged everything.
  private func view(of peer: Peer) -> [ManagedObjectID: ExpectedRecord] {
    var view = store
    for (id, changes) in peer.changed where view[id] != nil {
      if let name = changes.name { view[id]?.name = name }
      for (key, destination) in changes.links { view[id]?.links[key] = destination }
    }
    view.merge(peer.inserted) { $1 }
    for id in peer.deleted { view[id] = nil }
    return Self.withoutLostLinks(view)
  }

  private static func withoutLostLinks(
    _ records: [ManagedObjectID: ExpectedRecord]
  ) -> [ManagedObjectID: ExpectedRecord] {
    records.mapValues { record in
      var record = record
      record.links = record.links.filter { records[$0.value] != nil }
      return record
    }
  }

  private mutating func compare(_ peer: Peer) throws -> String {
    try mergeAll(peer)
    try compare(peer.context, with: view(of: peer), "\(peer.number)")
    return "compare"
  }

  private mutating func compareStore() throws {
    try compare(stack.otherProcess(), with: store, "the store")
  }

  private mutating func compare(
    _ context: ManagedObjectContext, with expected: [ManagedObjectID: ExpectedRecord], _ name: String
  ) throws {
    let objects = try ["Team", "Worker"].flatMap { try context.all($0) }
    if Set(objects.map(\.objectID)) != Set(expected.keys) {
      findings.append("\(name) has \(objects.map(\.objectID)), not \(expected.keys.sorted())")
    }
    for object in objects {
      guard let record = expected[object.objectID] else { continue }
      let number = try object.value(forKey: "name") as? Int64
      if number != record.name {
        findings.append("\(name): \(object.objectID) is \(number ?? -1), not \(record.name)")
      }
      if record.entity == "Worker" { try compareLinks(of: object, record, name) }
      for (entity, toMany, toOne) in Self.toMany where entity == record.entity {
        let members = Set(try object.objects(forKey: toMany).map(\.objectID))
        let wanted = Set(expected.filter { $0.value.links[toOne] == object.objectID }.map(\.key))
        if members != wanted {
          findings.append("\(name): \(object.objectID).\(toMany) is \(members), not \(wanted)")
        }
      }
    }
  }

  private mutating func compareLinks(
    of object: ManagedObject, _ record: ExpectedRecord, _ name: String
  ) throws {
    for key in ["team", "lead"] {
      let found = try object.object(forKey: key)
      let destination = found?.isDeleted == true ? nil : found?.objectID
      if destination != record.links[key] {
        findings.append(
          "\(name): \(object.objectID).\(key) is \(destination.map { "\($0)" } ?? "nil"), "
            + "not \(record.links[key].map { "\($0)" } ?? "nil")")
      }
    }
  }
}
