import CFloors
import Foundation

/// The folder that holds the data of a run: templates are made once, and each run that writes gets a copy.
struct WorkFiles {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "graphstore-benchmarks-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() {
    try? FileManager.default.removeItem(at: folder)
  }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The path of a file that `make` writes the first time it is asked for.
  func template(_ name: String, _ make: (String) throws -> Void) throws -> String {
    let path = path(name)
    if !FileManager.default.fileExists(atPath: path) { try make(path) }
    return path
  }

  /// A floor's file, made and filled the first time it is asked for.
  func floorTemplate(_ name: String, _ fill: (FloorStore) throws -> Void) throws -> String {
    try template(name) { path in
      try FloorStore.create(path)
      try fill(try FloorStore(path))
    }
  }

  /// Copies a database that is closed, over what a run before left. The copy is on the disk then: else
  /// whoever synchronises the file first would write it all.
  func freshCopy(of template: String, as name: String) throws -> String {
    let path = path(name)
    try removeDatabase(path)
    try FileManager.default.copyItem(atPath: template, toPath: path)
    try FileHandle(forUpdating: URL(fileURLWithPath: path)).synchronize()
    return path
  }

  func removeDatabase(_ path: String) throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
