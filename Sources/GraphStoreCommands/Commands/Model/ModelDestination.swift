import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// Destination of the commands that write a model.
enum ModelDestination {
  /// Refuses names that are those of other forms.
  static func validate(_ path: String) throws {
    if FileEnding.isGzip(path) {
      throw ValidationError("'\(path)' would be compressed, and models are read as they are.")
    }
    guard path != "-", let format = ModelFormat(endingOf: path), format != .json else { return }
    throw ValidationError(
      "'\(path)' would be no JSON; name a file that ends in .json, and see model convert for other forms.")
  }

  /// Writes a model; `-` is standard output.
  static func write(_ model: ManagedObjectModel, to path: String, _ session: CommandSession) throws {
    let bytes = Array(model.jsonData())
    guard path != "-" else { return try session.print(json: bytes) }
    try session.writeFile(bytes, to: path)
    session.inform("wrote \(path)  (\(model.entities.count) entities, checksum \(model.versionChecksum))")
  }

  /// Writes what a model was converted to, whole or not at all; `-` is standard output.
  ///
  /// - Parameter force: whether what is there is replaced without a question.
  static func write(
    _ conversion: ModelConversion, to path: String, force: Bool = false, _ session: CommandSession
  ) throws {
    if path == "-" {
      return try session.withOutput { output in conversion.files.forEach { output.append($0.bytes) } }
    }
    var isFolder: ObjCBool = false
    if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      guard isFolder.boolValue == conversion.isDirectory else {
        throw Diagnostic(
          code: "cannot-create",
          message:
            "\(path) is \(isFolder.boolValue ? "a folder" : "a file") and would not be replaced by its like",
          hints: ["remove it first, or choose another name"], exitCode: .cannotCreate)
      }
      if !force { try session.confirmReplacing(path) }
    }
    if conversion.isDirectory {
      let folder = try AtomicFolder(path: path)
      for file in conversion.files { try folder.write(file.bytes, to: file.path) }
      try folder.commit()
    } else {
      try session.writeFile(conversion.files.flatMap(\.bytes), to: path, replacing: true)
    }
    session.inform("wrote \(path)")
  }
}
