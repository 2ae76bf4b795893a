import Foundation
import GraphStoreModel

/// Fixtures of the versions of a model: small stores with known content, and beside each what it is expected
/// to hold once it is migrated.
///
/// A folder has a store for each version that was ever shipped, under any name. `NAME.expected.ndjson` has
/// the expected objects of the store `NAME.db`, one a line:
///
/// ```json
/// {"entity":"Employee","name":"Ada","department":{"name":"Sales"},"tags":[{"name":"a"},{"name":"b"}]}
/// ```
///
/// A test migrates a copy of each and compares:
///
/// ```swift
/// let fixtures = try MigrationFixtures(in: "Tests/Fixtures", of: ModelVersions(at: "Company.graphmodel"))
/// for outcome in try fixtures.verify() where !outcome.differences.isEmpty {
///   print(outcome.name ?? "-", outcome.differences.joined(separator: "\n"))
/// }
/// ```
public struct MigrationFixtures: Sendable {
  /// Outcome of one fixture, or of a version that has none.
  public struct Outcome: Sendable {
    /// The name of the store's file; nil for a version without a fixture.
    public let name: String?
    /// The version that the store has; nil for one that is none of the directory's.
    public let version: String?
    /// The differences as sentences; empty where the migrated copy holds what is expected.
    public let differences: [String]
  }

  /// The folder.
  public let folder: String
  /// The versions; the current one is what fixtures are migrated to.
  public let versions: ModelVersions
  /// The names of the stores, in order.
  public let names: [String]
  private static let ending = ".expected.ndjson"

  /// Looks for the stores of a folder, of any type that the library keeps in files.
  ///
  /// - Throws: `store-not-found` for a folder that cannot be read.
  public init(in folder: String, of versions: ModelVersions) throws {
    self.folder = folder
    self.versions = versions
    guard let entries = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw GraphStoreError(
        .storeNotFound, "There is no folder \(folder) that can be read.",
        remedy: "Give the folder with the fixtures.")
    }
    names = entries.filter { name in
      !name.hasPrefix(".") && StoreModel.isStore("\(folder)/\(name)")
    }.sorted()
  }

  /// Migrates a copy of every fixture to the current version, and compares what it holds then with what is
  /// expected.
  ///
  /// Nothing is written into the folder.
  ///
  /// - Parameters:
  ///   - allowsMissing: Whether versions may be without a fixture; else each of them is an outcome of its
  ///     own.
  ///   - options: How they are migrated; their output is ignored.
  /// - Returns: The outcome of each fixture, by name, then of each version without one.
  /// - Throws: as ``MigrationPlan`` and ``StoreMigration/run()``; `invalid-request` for a line of an expected
  ///   file that is no record.
  public func verify(
    allowsMissing: Bool = false, options: MigrationOptions = MigrationOptions()
  ) throws -> [Outcome] {
    var outcomes = try names.map { name in
      try withMigratedCopy(of: name, options) { path, version in
        Outcome(name: name, version: version, differences: try differences(of: name, migratedTo: path))
      }
    }
    guard !allowsMissing else { return outcomes }
    let present = Set(outcomes.compactMap(\.version))
    outcomes += versions.names.filter { !present.contains($0) }.map {
      Outcome(name: nil, version: $0, differences: ["no fixture has version \($0)"])
    }
    return outcomes
  }

  /// Writes the expected file of every fixture anew, from the contents of a migrated copy: to be reviewed by
  /// a person who knows what it should be.
  ///
  /// - Parameters:
  ///   - keyAttributes: The attribute that identifies objects of an entity in relationships, by the name of
  ///     the entity. For entities that are not named it is the one of a uniqueness constraint of a single
  ///     attribute; relationships to entities without are left out.
  ///   - options: How they are migrated; their output is ignored.
  /// - Throws: as ``verify(allowsMissing:options:)``; `unknown-entity`, `unknown-key` for a key attribute
  ///   that there is not.
  public func update(
    keyAttributes: [String: String] = [:], options: MigrationOptions = MigrationOptions()
  ) throws {
    let model = try versions.currentModel()
    for (name, key) in keyAttributes where try model.entity(named: name).attribute(named: key) == nil {
      throw GraphStoreError(
        .unknownKey, "\(name) has no attribute \"\(key)\".",
        remedy: "Name an attribute that tells its objects.",
        entity: name, property: key)
    }
    for name in names {
      try withMigratedCopy(of: name, options) { path, _ in
        let lines = try withContext(path) { try FixtureRecord.lines(of: $0, keys: keyAttributes) }
        let text = lines.map { $0 + "\n" }.joined()
        try Data(text.utf8).write(to: URL(fileURLWithPath: expectedPath(of: name)), options: .atomic)
      }
    }
  }

  // MARK: One fixture

  private func expectedPath(of name: String) -> String {
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 }
    return "\(folder)/\(name[..<(dot ?? name.endIndex)])\(Self.ending)"
  }

  private func differences(of name: String, migratedTo path: String) throws -> [String] {
    let expected = expectedPath(of: name)
    guard let data = FileManager.default.contents(atPath: expected) else {
      return ["there is no \(expected): write it with update, and read it"]
    }
    let objects = try FixtureRecord.read(
      String(decoding: data, as: UTF8.self), path: expected, model: versions.currentModel())
    return try MigrationVerifier.compare(storeAt: path, expected: objects)
  }

  private func withContext<Result: Sendable>(
    _ path: String, _ body: (ManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(isReadOnly: true), model: versions.currentModel())
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    return try context.performAndWait { try body(context) }
  }

  /// Runs a body over the migrated copy of a fixture, which is removed afterwards.
  private func withMigratedCopy<Result>(
    of name: String, _ options: MigrationOptions,
    _ body: (_ path: String, _ version: String?) throws -> Result
  ) throws -> Result {
    let files = FileManager.default
    let place = files.temporaryDirectory.appendingPathComponent("graphstore-\(UUID().uuidString)").path
    try files.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: place) }
    let (original, copy) = (ResolvedPath.of("\(folder)/\(name)"), ResolvedPath.of("\(place)/\(name)"))
    let (support, copiedSupport) = (
      ExternalDataFolder.supportPath(besideStoreAt: original),
      ExternalDataFolder.supportPath(besideStoreAt: copy)
    )
    for (source, target) in [
      (original, copy), (original + "-wal", copy + "-wal"), (support, copiedSupport),
    ]
    where files.fileExists(atPath: source) {
      try files.copyItem(atPath: source, toPath: target)
    }
    // Files checked out from a repository may be read-only.
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
    let version = try versions.version(ofStoreAt: copy)?.name
    var options = options
    (options.output, options.keepsBackup) = (nil, false)
    let plan = try MigrationPlan(fromStoreAt: copy, to: versions)
    return try body(try StoreMigration(plan, options: options).run().path, version)
  }
}
