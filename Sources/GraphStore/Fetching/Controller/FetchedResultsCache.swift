import Foundation
import GraphStoreModel
import GraphStorePredicates
import Synchronization

/// The caches of controllers: files with the sections of a list, and which records are in them, so that the
/// next launch need not fetch the list.
///
/// ```swift
/// FetchedResultsCache.directory = FileManager.default.temporaryDirectory
/// try FetchedResultsCache.delete(named: "employees")
/// ```
///
/// A cache serves a list only where nothing has changed: the same stores in the same state, model, request,
/// section key path and locale. Everything else, a damaged file too, is passed over, and the file is written
/// anew. May be used from any thread.
public enum FetchedResultsCache {
  private static let chosenDirectory = Mutex<URL?>(nil)

  /// The folder of the files; by default one in the user's folder of caches. Where it cannot be written lists
  /// are fetched as if they had no cache.
  public static var directory: URL {
    get { chosenDirectory.withLock { $0 } ?? standardDirectory }
    set { chosenDirectory.withLock { $0 = newValue } }
  }

  private static var standardDirectory: URL {
    let caches =
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
    return caches.appending(path: "GraphStore").appending(path: ProcessInfo.processInfo.processName)
  }

  /// Removes a cache, or with nil all in ``directory``.
  ///
  /// - Throws: what removing a file throws; nothing where there is none.
  public static func delete(named name: String?) throws {
    let files = FileManager.default
    let paths: [URL]
    if let name {
      paths = [url(name)]
    } else {
      let all = (try? files.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)) ?? []
      paths = all.filter { $0.pathExtension == fileType }
    }
    for path in paths where files.fileExists(atPath: path.path) { try files.removeItem(at: path) }
  }

  private static let fileType = "results"

  private static func url(_ name: String) -> URL {
    let text = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
    return directory.appending(path: text).appendingPathExtension(fileType)
  }

  // MARK: Contents

  /// A list as it is kept: of which state of what it is, and the records in their order.
  struct Contents: Codable, Equatable {
    /// What has to be the same for the list to be the same.
    struct Key: Codable, Equatable {
      var format = 1
      let request: String
      let sectionKeyPath: String?
      let locale: String
      let entityHash: Data
      /// By the UUIDs of the stores, in their order.
      let stores: [String]
      let states: [Data]
    }

    struct Section: Codable, Equatable {
      let name: String
      let count: Int
    }

    let key: Key
    let sections: [Section]
    /// By record: the position of its entity in the model, its key, and the position of its store.
    let entities: [Int]
    let keys: [Int64]
    let storePositions: [Int]

    /// Whether the parts belong together; else the file is damaged.
    var isWhole: Bool {
      keys.count == entities.count && keys.count == storePositions.count
        && sections.allSatisfy { $0.count >= 0 } && sections.reduce(0) { $0 &+ $1.count } == keys.count
        && storePositions.allSatisfy { key.stores.indices.contains($0) }
    }
  }

  /// The list of a name, if it is there, whole, and of a key.
  static func contents(named name: String, of key: Contents.Key) -> Contents? {
    guard let data = try? Data(contentsOf: url(name)), let body = checked(data),
      let contents = try? PropertyListDecoder().decode(Contents.self, from: body),
      contents.key == key, contents.isWhole
    else { return nil }
    return contents
  }

  /// Keeps a list under a name, in the place of what is there; where that fails it is not kept.
  static func keep(_ contents: Contents, named name: String) {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    guard let data = try? encoder.encode(contents) else { return }
    try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try? (Data(SHA256.hash(data)) + data).write(to: url(name), options: .atomic)
  }

  private static let checksumLength = 32

  /// What follows the checksum of a file; nil where that is another one.
  private static func checked(_ data: Data) -> Data? {
    guard data.count > checksumLength else { return nil }
    let body = Data(data.dropFirst(checksumLength))
    return Data(SHA256.hash(body)) == data.prefix(checksumLength) ? body : nil
  }
}

extension FetchedList {
  /// The key of the list in a cache, as things are now; nil where it cannot be cached: its answer depends on
  /// more than stores, or a store has no state that could be told from another one.
  func cacheKey(_ prepared: ManagedObjectContext.PreparedFetch) -> FetchedResultsCache.Contents.Key? {
    let request = prepared.request
    let reads = RequestDependencies(prepared.entity.entity, request.predicate, request.sortDescriptors)
    guard context.parent == nil, context.fetching.pin == nil, context.transaction == nil, !reads.isUnbounded,
      naming?.isStored != false, request.returnsObjectsAsFaults, !request.shouldRefreshRefetchedObjects,
      request.relationshipKeyPathsForPrefetching.isEmpty
    else { return nil }
    var states: [Data] = []
    let mounts = context.mounts(for: prepared)
    for mount in mounts {
      guard let state = mount.store.contentState else { return nil }
      states.append(state)
    }
    let locale = request.locale ?? context.locale
    return FetchedResultsCache.Contents.Key(
      request: "\(request) \(request.includesSubentities)", sectionKeyPath: naming?.keyPath,
      locale: "\(locale.identifier) \(Collation.version(for: locale))",
      entityHash: Data(
        context.coordinator.managedObjectModel.entityVersionHashesByName.values.sorted {
          $0.lexicographicallyPrecedes($1)
        }.joined()),
      stores: mounts.map(\.scope.uuid), states: states)
  }

  /// The content that a cache has, as faults: no statement runs.
  func cachedContent(
    named name: String, _ key: FetchedResultsCache.Contents.Key,
    _ prepared: ManagedObjectContext.PreparedFetch
  ) throws -> SectionedList? {
    guard let contents = FetchedResultsCache.contents(named: name, of: key) else { return nil }
    let mounts = context.mounts(for: prepared)
    let layouts = context.coordinator.layout.entities
    var objects: [ManagedObject] = []
    objects.reserveCapacity(contents.keys.count)
    for position in contents.keys.indices {
      let entity = contents.entities[position]
      guard layouts.indices.contains(entity), StoredKey.keys.contains(contents.keys[position]) else {
        return nil
      }
      objects.append(
        context.fault(
          layouts[entity], key: contents.keys[position],
          storeIndex: mounts[contents.storePositions[position]].index))
    }
    var request = prepared.request
    if request.fetchBatchSize == 0 { request.fetchBatchSize = Self.faultsReadTogether }
    context.fetching.faultBatches.removeUnused()
    context.fetching.faultBatches.add(objects, of: request)
    let names = contents.sections.flatMap { Array(repeating: $0.name, count: $0.count) }
    return try SectionedList(objects, isSectioned: naming != nil) { position, _ in names[position] }
  }

  /// How many objects of a cached list are read together, where its request does not say so.
  private static let faultsReadTogether = 100

  /// Keeps the content, which was fetched while the stores were in the state of a key.
  func keepContent(_ content: SectionedList, named name: String, _ key: FetchedResultsCache.Contents.Key) {
    let objects = content.objects
    let positions = Dictionary(
      uniqueKeysWithValues: context.mounts.compactMap { mount in
        key.stores.firstIndex(of: mount.scope.uuid).map { (mount.index, $0) }
      })
    guard objects.allSatisfy({ $0.key > 0 && positions[$0.storeIndex] != nil }) else { return }
    FetchedResultsCache.keep(
      FetchedResultsCache.Contents(
        key: key, sections: content.sections.map { .init(name: $0.name, count: $0.count) },
        entities: objects.map(\.layout.index), keys: objects.map(\.key),
        storePositions: objects.compactMap { positions[$0.storeIndex] }),
      named: name)
  }
}
