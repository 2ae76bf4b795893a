import Foundation
import GraphStoreModel

@testable import GraphStore

/// A directory of versions in a folder of its own.
final class VersionFolder {
  let folder: TemporaryFolder
  let path: String

  /// Writes versions under the names `1`, `2` …; the last is the current one.
  init(_ versions: [ModelDefinition], current: Int? = nil) throws {
    folder = try TemporaryFolder()
    path = folder.file("Versions.graphmodel")
    for (position, version) in versions.enumerated() {
      try folder.write(version.jsonData(), to: "Versions.graphmodel/\(position + 1).json")
    }
    try folder.write(
      "\(current ?? versions.count)\n", to: "Versions.graphmodel/current")
  }

  func versions() throws -> ModelVersions { try ModelVersions(at: path) }
}

extension MigratedStore {
  func plan(to versions: ModelVersions, version: String? = nil) throws -> MigrationPlan {
    try MigrationPlan(fromStoreAt: path, to: versions, version: version)
  }
}
