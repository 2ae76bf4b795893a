import Foundation

/// Core Data's identification of a version of a model: hashes, which are computed by a rule of its own, and
/// the compiled model.
///
/// Packages of compiled models list the hashes of their versions, and stores of Core Data record those of the
/// model that they were made with. A store that is made of a model with such a version carries exactly these,
/// and is to Core Data one of its own (see ``ManagedObjectModel/coreDataVersion``).
///
/// A model of this library is known to Core Data as the compiled one that it was made of:
///
/// ```swift
/// let version = try CoreDataVersion(contentsOf: "Company.momd", of: model)
/// let known = try model.known(as: version)
/// print(known.coreDataVersion?.checksum ?? "-")
/// ```
public struct CoreDataVersion: Hashable, Sendable {
  /// The 32-byte version hash of every entity by name.
  public let hashes: [String: Data]
  /// The compiled model, a keyed archive; nil where only the hashes are known.
  public let compiledModel: Data?

  /// Makes a version of what is known of it.
  public init(hashes: [String: Data], compiledModel: Data? = nil) {
    self.hashes = hashes
    self.compiledModel = compiledModel
  }

  /// Makes a version of what a store records; a cache that cannot be read is left out.
  package init(hashes: [String: Data], modelCache bytes: [UInt8]?) {
    self.init(
      hashes: hashes, compiledModel: bytes.flatMap { try? ModelCache.archive(of: $0) }.map { Data($0) })
  }

  /// Base64 of SHA-256 over the hashes, in byte order of the names, by which stages of migrations name a
  /// version.
  public var checksum: String { ManagedObjectModel.versionChecksum(of: hashes) }

  /// The compiled model in the form of a store's `Z_MODELCACHE`; nil where there is none.
  package var modelCache: [UInt8]? { compiledModel.map { StoredBlocks.stream(of: [UInt8]($0)) } }
}

extension CoreDataVersion {
  /// Reads the version of a model that a package lists, with the compiled model beside the list.
  ///
  /// - Parameters:
  ///   - path: The list, `VersionInfo.plist`, or the package, a folder `NAME.momd`.
  ///   - name: The name of the version; nil for the one with the model's entities: the current one where
  ///     several have them.
  ///   - model: The model that the version has to be one of.
  /// - Throws: ``ModelError``: `model-not-found`, `model-unreadable` for a file that is no such list,
  ///   `model-bad-version` for a version that is not listed or is one of another model.
  public init(
    contentsOf path: String, version name: String? = nil, of model: ManagedObjectModel
  ) throws(ModelError) {
    let isPackage = try ModelFile.kind(of: path) == .directory
    let list = isPackage ? ModelFile.path(VersionInfo.fileName, in: path) : path
    guard let info = VersionInfo(try ModelFile.read(list)) else {
      throw ModelFile.unreadable(
        list, "\(list) lists no versions of a compiled model.",
        remedy: "Give the VersionInfo.plist of a .momd folder.")
    }
    let entities = Set(model.entities.map(\.name))
    let fitting = info.hashes.filter { Set($0.value.keys) == entities }.keys.sorted()
    let only = fitting.count == 1 ? fitting.first : fitting.first { $0 == info.currentName }
    guard let found = name ?? only, let hashes = info.hashes[found] else {
      if let name { throw CurrentVersion.unknown(name, of: list, versions: info.hashes.keys.sorted()) }
      throw Self.unfit(
        list, fitting.isEmpty ? "no version with the entities of the model" : "several versions that fit")
    }
    guard fitting.contains(found) else {
      throw Self.unfit(list, "other entities than the model's in \(found)")
    }
    let compiled = ModelFile.path("\(found).mom", in: ModelFile.directory(of: list))
    self.init(hashes: hashes, compiledModel: try Self.compiledModel(at: compiled, of: model))
  }

  private static func compiledModel(
    at path: String, of model: ManagedObjectModel
  ) throws(ModelError) -> Data? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let compiled = try ManagedObjectModel(contentsOf: path)
    guard compiled.entityVersionHashesByName == model.entityVersionHashesByName else {
      throw unfit(path, "another version of the model")
    }
    return Data(try ModelFile.read(path))
  }

  private static func unfit(_ path: String, _ what: String) -> ModelError {
    ModelError(
      [
        ModelProblem(
          .badVersion, at: ModelPath(), value: path, message: "\(path) has \(what).",
          remedy: "Name the version that the model is of, as \(path)#VERSION.")
      ], file: path)
  }
}
