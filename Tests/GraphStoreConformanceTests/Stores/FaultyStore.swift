import Foundation
import GraphStore

/// A store that breaks one promise of all, which the host of its location names.
struct FaultyStore: AtomicStore {
  /// What is wrong with a store.
  enum Fault: String, CaseIterable, Sendable {
    case reversesMembers, dropsMembers, keepsNil, roundsNumbers, composesTexts, cutsTexts, dropsBytes
    case keepsDeleted, forgetsEntities, dropsOneWay, renumbers, forgetsHighestKeys, dropsMetadata
    case writesBeforeItFails, doesNotFail, mixesStores, dropsElements, roundsDates

    /// The promises, at least one of which tells of it.
    var broken: Set<String> {
      switch self {
      case .reversesMembers: ["relationships.ordered"]
      case .dropsMembers: ["relationships.many-to-many"]
      case .keepsNil: ["values.nil"]
      case .roundsNumbers, .dropsBytes, .roundsDates: ["values.edges"]
      case .composesTexts, .cutsTexts: ["values.texts"]
      case .keepsDeleted: ["deletion.objects"]
      case .forgetsEntities: ["inheritance.entities"]
      case .dropsOneWay: ["relationships.one-way"]
      case .renumbers: ["identifiers.stable"]
      case .forgetsHighestKeys: ["identifiers.fresh"]
      case .dropsMetadata: ["metadata.programs"]
      case .writesBeforeItFails, .doesNotFail: ["saving.failure"]
      case .mixesStores: ["stores.apart"]
      case .dropsElements: ["values.composite"]
      }
    }
  }

  let vault: Vault
  let fault: Fault

  init(_ opening: StoreOpening) throws {
    guard let fault = opening.url.host.flatMap(Fault.init) else { throw VaultError.wrongLocation }
    self.fault = fault
    vault = Vault.at(fault == .mixesStores ? opening.url.deletingLastPathComponent() : opening.url)
  }

  func load() throws -> AtomicStoreContent? {
    guard var content = vault.with({ $0.content }) else { return nil }
    switch fault {
    case .reversesMembers:
      change(&content) { node in
        for (name, members) in node.toMany where ["members", "steps"].contains(name) {
          node.toMany[name] = members.reversed()
        }
      }
    case .renumbers: renumber(&content)
    default: break
    }
    return content
  }

  func save(_ save: AtomicStoreSave) throws {
    var content = try save.content
    let former = vault.with { $0.content }
    switch fault {
    case .dropsMembers: change(&content) { $0.toMany["friends"] = nil }
    case .keepsNil: keepNil(&content, former)
    case .roundsNumbers: change(&content, rounding)
    case .roundsDates:
      change(&content) { node in
        if case .date(let date)? = node.values["moment"] {
          let seconds = date.timeIntervalSinceReferenceDate.rounded()
          node.values["moment"] = .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
      }
    case .composesTexts: change(&content) { $0.changeText { $0.precomposedStringWithCanonicalMapping } }
    case .cutsTexts: change(&content) { $0.changeText { String($0.prefix(255)) } }
    case .dropsBytes: change(&content) { if $0.values["bytes"] == .data(Data()) { $0.values["bytes"] = nil } }
    case .keepsDeleted:
      let deleted = Set(save.deleted)
      content.nodes += former?.nodes.filter { deleted.contains($0.id) }.map(\.withoutLinks) ?? []
    case .forgetsEntities: change(&content) { $0.becomeEmployee() }
    case .dropsOneWay: change(&content) { $0.toOne["home"] = nil }
    case .forgetsHighestKeys: content.metadata = content.metadata.filter { !$0.key.hasPrefix("_GS") }
    case .dropsMetadata: content.metadata["note"] = nil
    case .dropsElements:
      change(&content) { node in
        if case .dictionary(var members)? = node.values["place"] {
          members["zip"] = nil
          node.values["place"] = .dictionary(members)
        }
      }
    default: break
    }
    let isObstructed = vault.with { $0.failure } != nil
    if isObstructed, fault != .writesBeforeItFails, fault != .doesNotFail { throw VaultError.locked }
    if isObstructed, fault == .doesNotFail { return }
    let kept = content
    vault.with { $0.content = kept }
    if isObstructed { throw VaultError.locked }
  }

  private func change(_ content: inout AtomicStoreContent, _ body: (inout StoreNode) -> Void) {
    for index in content.nodes.indices { body(&content.nodes[index]) }
  }

  private func rounding(_ node: inout StoreNode) {
    for (name, value) in node.values {
      if case .double(let number) = value { node.values[name] = .double(Double(Float(number))) }
    }
  }

  private func keepNil(_ content: inout AtomicStoreContent, _ former: AtomicStoreContent?) {
    let old = Dictionary(uniqueKeysWithValues: former?.nodes.map { ($0.id, $0.values) } ?? [])
    change(&content) { node in node.values.merge(old[node.id] ?? [:]) { new, _ in new } }
  }

  /// Gives all items other numbers, in the order of their names downwards.
  private func renumber(_ content: inout AtomicStoreContent) {
    let items = content.nodes.filter { $0.id.entity == "Item" }
      .sorted { $0.values["name"]?.literal ?? "" > $1.values["name"]?.literal ?? "" }
    let numbers = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.id, Int64($0) + 1) })
    change(&content) { node in
      if let number = numbers[node.id] { node.id.reference = .integer(number) }
      node.toOne = [:]
      node.toMany = [:]
    }
  }
}

extension StoreNode {
  fileprivate mutating func changeText(_ body: (String) -> String) {
    if case .string(let text)? = values["text"] { values["text"] = .string(body(text)) }
  }

  fileprivate var withoutLinks: StoreNode {
    StoreNode(id: id, values: values, version: version)
  }

  fileprivate mutating func becomeEmployee() {
    func changed(_ id: NodeIdentifier) -> NodeIdentifier {
      id.entity == "Director" ? NodeIdentifier(entity: "Employee", reference: id.reference) : id
    }
    values["budget"] = nil
    id = changed(id)
    toOne = toOne.mapValues(changed)
    toMany = toMany.mapValues { $0.map(changed) }
  }
}

extension StoreType {
  static let faulty = StoreType(rawValue: "Faulty")
}
