import Foundation
import GraphStorePredicates

/// List that a package of compiled models keeps of its versions.
struct VersionInfo {
  /// The name of its file in the package.
  static let fileName = "VersionInfo.plist"

  /// The name of the current version.
  let currentName: String?
  /// Core Data's hashes by the names of versions and entities.
  let hashes: [String: [String: Data]]

  /// Reads a property list; nil for one that lists no hashes.
  init?(_ bytes: [UInt8]) {
    guard let values = PropertyListReader.dictionary(of: Data(bytes)),
      case .dictionary(let versions)? = values["NSManagedObjectModel_VersionHashes"]
    else { return nil }
    if case .string(let name)? = values["NSManagedObjectModel_CurrentVersionName"] {
      currentName = name
    } else {
      currentName = nil
    }
    hashes = versions.compactMapValues { version in
      guard case .dictionary(let entities) = version else { return nil }
      // A hash is a SHA-256; of an entity with something else the version is not the one that is looked for.
      return entities.compactMapValues {
        if case .data(let hash) = $0, hash.count == 32 { hash } else { nil }
      }
    }
  }

  /// The list beside a compiled model; nil for one without a package.
  init?(besides path: String) {
    let list = ModelFile.path(Self.fileName, in: ModelFile.directory(of: path))
    guard FileManager.default.fileExists(atPath: list), let bytes = try? ModelFile.read(list) else {
      return nil
    }
    self.init(bytes)
  }

  /// Core Data's identification of a compiled model; nil for one that the list beside it does not have.
  static func version(ofCompiledModelAt path: String, _ bytes: [UInt8]) -> CoreDataVersion? {
    Self(besides: path)?.hashes[ModelFile.baseName(of: path)].map {
      CoreDataVersion(hashes: $0, compiledModel: Data(bytes))
    }
  }
}
