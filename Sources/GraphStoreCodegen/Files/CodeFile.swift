import Foundation
import GraphStoreModel

/// A file of generated Swift on disk.
public struct CodeFile: Sendable {
  /// The path.
  public let path: String

  /// Names a file.
  public init(path: String) { self.path = path }

  /// The change that makes the file as generated.
  ///
  /// - Throws: ``CodeFileError`` when the file is there and cannot be read.
  public func change(to generated: GeneratedFile) throws(CodeFileError) -> CodeFolder.Change {
    guard FileManager.default.fileExists(atPath: path) else { return .created }
    if generated.owner == .human { return .kept }
    do {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      return bytes.elementsEqual(generated.text.utf8) ? .unchanged : .rewritten
    } catch {
      throw CodeFileError(.failed, path: path, message: "\(path) cannot be read", error: error)
    }
  }

  /// Writes the file: it is moved to its path when it is complete.
  public func write(_ text: String) throws(CodeFileError) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw CodeFileError(.failed, path: path, message: "\(path) cannot be written", error: error)
    }
  }

  static func makeFolder(_ path: String) throws(CodeFileError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CodeFileError(
        .cannotCreate, path: path, message: "The folder \(path) cannot be made", error: error)
    }
  }
}

/// A file or folder of generated sources that cannot be read or written.
public struct CodeFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The stable codes.
  public enum Code: String, Hashable, Sendable {
    /// A folder cannot be made.
    case cannotCreate = "cannot-create"
    /// A file cannot be read or written.
    case failed = "write-failed"
  }

  /// The kind of the error.
  public let code: Code
  /// The path.
  public let path: String
  /// A sentence that names it.
  public let message: String

  init(_ code: Code, path: String, message: String, error: any Error) {
    self.code = code
    self.path = path
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    self.message = "\(message): \((cause ?? error).localizedDescription)"
  }

  /// The message.
  public var description: String { message }
}

/// A file of generated Swift.
public struct GeneratedFile: Hashable, Sendable {
  /// Owner of the file.
  public enum Owner: Hashable, Sendable {
    /// The generator, which rewrites it.
    case machine
    /// People: it is made once and then left alone.
    case human
  }

  /// The file's name, without a folder.
  public var name: String
  /// The owner of the file.
  public var owner: Owner
  /// The content of the file.
  public var text: String

  /// Makes a file.
  public init(name: String, owner: Owner, text: String) {
    self.name = name
    self.owner = owner
    self.text = text
  }
}

/// Output of the generator for a model.
public struct GeneratedCode: Sendable {
  /// The files, in the order of the model's entities; the model's own file last.
  public var files: [GeneratedFile]
  /// Findings about parts left out or named otherwise, and why.
  public var findings: [ModelProblem]
}
