import GraphStoreModel

/// Reference to a model of a staged migration: its location, and the checksum that identifies it.
///
/// The model is read when a migration is planned, and released after it.
///
/// A program notes the checksum of each version that it has shipped:
///
/// ```swift
/// let first = ManagedObjectModelReference(model: old)
/// let second = ManagedObjectModelReference(
///   version: "2", in: versions, versionChecksum: "tZ0Yk7cX8vGm3oTfJw2mQk5S1r9bX6uWq4eLhNpVd0E=")
/// let stage = CustomMigrationStage(migratingFrom: first, to: second)
/// ```
public struct ManagedObjectModelReference: Sendable {
  private enum Place: Sendable {
    case model(ManagedObjectModel)
    case version(String, ModelVersions)
    case file(String)
  }

  private let place: Place
  /// The checksum that the model has to have, see ``/GraphStoreModel/ManagedObjectModel/versionChecksum``.
  public let versionChecksum: String

  /// Refers to a model that is in memory.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - versionChecksum: What its checksum has to be; nil for what it is.
  public init(model: ManagedObjectModel, versionChecksum: String? = nil) {
    place = .model(model)
    self.versionChecksum = versionChecksum ?? model.versionChecksum
  }

  /// Refers to a version of a directory.
  public init(version name: String, in versions: ModelVersions, versionChecksum: String) {
    place = .version(name, versions)
    self.versionChecksum = versionChecksum
  }

  /// Refers to the model in a file.
  public init(fileAt path: String, versionChecksum: String) {
    place = .file(path)
    self.versionChecksum = versionChecksum
  }

  /// The model.
  ///
  /// - Throws: `model-reference` where there is none, or one with another checksum.
  public func resolvedModel() throws -> ManagedObjectModel { try resolved().model }

  /// The model, with its label.
  func resolved() throws -> ModelVersion {
    let version: ModelVersion
    do {
      switch place {
      case .model(let model): version = ModelVersion(model)
      case .version(let name, let versions):
        version = ModelVersion(try versions.model(named: name), name: name)
      case .file(let path): version = ModelVersion(try ManagedObjectModel(contentsOf: path))
      }
    } catch {
      throw GraphStoreError(
        .modelReference, "The model \(label) of a staged migration cannot be read: \(error)",
        remedy: "Keep the models of all stages with the program.", underlying: error)
    }
    guard version.model.versionChecksum == versionChecksum else {
      throw GraphStoreError(
        .modelReference,
        "The model \(label) of a staged migration has the checksum \(version.model.versionChecksum), not "
          + "\(versionChecksum).",
        remedy: "Restore the version as it was shipped, or give its own checksum.")
    }
    return version
  }

  /// Its label for people.
  private var label: String {
    switch place {
    case .model(let model): model.name
    case .version(let name, let versions): "\(versions.path)#\(name)"
    case .file(let path): path
    }
  }
}
