import Foundation

/// A file of generated Swift on disk.
public struct CodeFile: Sendable {
  /// The path.
  public let path: String

  /// Names a file.
  public init(path: String) { self.path = path }

  /// What has to happen for the file to be as generated.
  ///
  /// - Throws: ``CodeFileError`` when the file is there and cannot be read.
  public func change(to generated: GeneratedFile) throws(CodeFileError) -> CodeFolder.Change {
    guard FileManager.default.fileExists(atPath: path) else { return .created }
    if generated.owner == .human { return .kept }
    do {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      return bytes.elementsEqual(generated.text.utf8) ? .unchanged : .rewritten
    } catch {
      throw CodeFileError(path: path, "\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Writes the file: it takes its place when it is whole.
  public func write(_ text: String) throws(CodeFileError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CodeFileError(path: path, "\(path) cannot be written: \(error.localizedDescription)")
    }
  }

  static func makeFolder(_ path: String) throws(CodeFileError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CodeFileError(path: path, "The folder \(path) cannot be made: \(error.localizedDescription)")
    }
  }
}

/// A file or folder of generated sources that cannot be read or written.
public struct CodeFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable code.
  public static let code = "write-failed"
  /// The path.
  public let path: String
  /// A sentence that names it.
  public let message: String

  init(path: String, _ message: String) {
    self.path = path
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
