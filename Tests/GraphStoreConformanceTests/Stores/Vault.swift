import Foundation
import GraphStore
import Synchronization

/// Place where stores of the tests keep what they hold, one for each location, with what has happened there.
final class Vault: Sendable {
  struct State {
    var content: AtomicStoreContent?
    /// What a save throws.
    var failure: VaultError?
    /// What loading throws.
    var damage: VaultError?
    /// How long loading takes, at most: it ends when this is taken away.
    var delay: Duration?
    /// Whether loading has begun and waits for its delay.
    var isWaiting = false
    var loads = 0
    var saves: [Save] = []
    /// What the store was told of being added and removed.
    var events: [String] = []
    /// How often a reference was asked for, by the name of the object.
    var asked: [String: Int] = [:]
  }

  /// A save, as the store was told of it.
  struct Save: Equatable {
    var inserted: [String]
    var updated: [String]
    var deleted: [String]
  }

  private static let all = Mutex<[URL: Vault]>([:])

  private let state = Mutex(State())

  static func at(_ url: URL) -> Vault {
    all.withLock { all in
      if let vault = all[url] { return vault }
      let vault = Vault()
      all[url] = vault
      return vault
    }
  }

  /// A location where there is nothing.
  static func freshURL(_ scheme: String = "vault") -> URL {
    guard let url = URL(string: "\(scheme)://example.org/\(UUID().uuidString)") else { preconditionFailure() }
    return url
  }

  func with<Result: Sendable>(_ body: (inout sending State) throws -> sending Result) rethrows
    -> sending Result
  {
    try state.withLock(body)
  }

  /// Waits for as long as the delay lasts.
  func wait() async throws {
    let start = ContinuousClock.now
    while let delay = with({ $0.delay }), ContinuousClock.now - start < delay {
      with { $0.isWaiting = true }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}

/// A failure of the tests' own.
enum VaultError: Error, Equatable {
  case locked, damaged, wrongLocation, unnamed
}

/// What the stores of vaults have in common.
protocol VaultedStore: AtomicStore {
  var vault: Vault { get }
}

extension VaultedStore {
  func load() async throws -> AtomicStoreContent? {
    try await vault.wait()
    return try vault.with { state in
      state.loads += 1
      if let damage = state.damage { throw damage }
      return state.content
    }
  }

  func save(_ save: AtomicStoreSave) async throws {
    try await vault.wait()
    let content = try save.content
    let told = Vault.Save(
      inserted: save.inserted.map(\.description), updated: save.updated.map(\.description),
      deleted: save.deleted.map(\.description))
    try vault.with { state in
      if let failure = state.failure { throw failure }
      if state.delay == nil, state.isWaiting { state.events.append("saved") }
      state.content = content
      state.saves.append(told)
    }
  }

  func didAdd(to coordinator: PersistentStoreCoordinator) {
    let count = coordinator.persistentStores.count
    vault.with { $0.events.append("added, \(count) mounted") }
  }

  func willRemove(from coordinator: PersistentStoreCoordinator) {
    let count = coordinator.persistentStores.count
    vault.with { $0.events.append("to be removed, \(count) mounted") }
  }

  static func metadata(at url: URL) async throws -> [String: Value] {
    guard let metadata = Vault.at(url).with({ $0.content?.metadata }) else { throw VaultError.wrongLocation }
    return metadata
  }

  static func setMetadata(_ metadata: [String: Value], at url: URL) async throws {
    Vault.at(url).with { $0.content?.metadata = metadata }
  }
}

/// A store at a location that is no file, with whole numbers as references.
struct VaultStore: VaultedStore {
  let vault: Vault

  init(_ opening: StoreOpening) throws {
    guard opening.url.scheme == "vault" else { throw VaultError.wrongLocation }
    vault = Vault.at(opening.url)
  }
}

/// A store that knows objects by their names, or what a type of its own makes of them.
struct NamedVaultStore: VaultedStore {
  static let makesReferences = true

  let vault: Vault

  init(_ opening: StoreOpening) { vault = Vault.at(opening.url) }

  func reference(forNew entity: String, values: [String: Value]) throws -> NodeReference {
    guard case .string(let name)? = values["name"] else { throw VaultError.unnamed }
    vault.with { $0.asked[name, default: 0] += 1 }
    return .text(name)
  }
}

/// A store that knows objects by new UUIDs, as stores do that make references and do not say which.
struct UUIDVaultStore: VaultedStore {
  static let makesReferences = true

  let vault: Vault

  init(_ opening: StoreOpening) { vault = Vault.at(opening.url) }
}

/// A store that knows nothing but how to load and save.
struct PlainVaultStore: AtomicStore {
  let vault: Vault

  init(_ opening: StoreOpening) { vault = Vault.at(opening.url) }

  func load() -> AtomicStoreContent? { vault.with { $0.content } }

  func save(_ save: AtomicStoreSave) throws {
    let content = try save.content
    vault.with { $0.content = content }
  }
}

extension StoreType {
  static let vault = StoreType(rawValue: "Vault")
  static let namedVault = StoreType(rawValue: "NamedVault")
  static let uuidVault = StoreType(rawValue: "UUIDVault")
  static let plainVault = StoreType(rawValue: "PlainVault")

  /// Registers the types of the tests, once.
  static let registration = Result {
    try PersistentStoreCoordinator.registerStoreType(VaultStore.self, as: .vault)
    try PersistentStoreCoordinator.registerStoreType(NamedVaultStore.self, as: .namedVault)
    try PersistentStoreCoordinator.registerStoreType(UUIDVaultStore.self, as: .uuidVault)
    try PersistentStoreCoordinator.registerStoreType(PlainVaultStore.self, as: .plainVault)
    try PersistentStoreCoordinator.registerStoreType(FaultyStore.self, as: .faulty)
    try PersistentStoreCoordinator.registerStoreType(DrawerStore.self, as: .drawer)
  }
}
