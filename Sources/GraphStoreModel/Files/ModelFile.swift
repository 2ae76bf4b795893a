import Foundation

/// Files and directories that models are read from.
package enum ModelFile {
  /// Kind of a model at a path.
  enum Kind {
    case file
    case directory
  }

  /// - Throws: `model-not-found`.
  static func kind(of path: String) throws(ModelError) -> Kind {
    var isDirectory: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw notFound([path])
    }
    return isDirectory.boolValue ? .directory : .file
  }

  /// The bytes of a file.
  ///
  /// - Throws: `model-not-found`, `model-unreadable`; `model-syntax` for more bytes than a model has.
  static func read(_ path: String) throws(ModelError) -> [UInt8] {
    if try kind(of: path) == .directory {
      throw unreadable(path, "\(path) is a directory, not a model file.")
    }
    do throws(ReadFailure) {
      return try StreamContents.bytes(at: path)
    } catch {
      switch error {
      case .system(let number):
        throw unreadable(path, unsafe "\(path) cannot be read: \(String(cString: strerror(number))).")
      case .tooLong: throw tooLong(path)
      }
    }
  }

  /// The names of what is in a directory, in byte order.
  static func names(in path: String) throws(ModelError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path).sorted(by: VersionHash.precedes)
    } catch {
      throw unreadable(path, "The directory \(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// The last component of a path, without slashes behind it.
  static func lastComponent(of path: String) -> Substring {
    var path = path[...]
    while path.count > 1, path.last == "/" { path = path.dropLast() }
    guard let slash = path.lastIndex(of: "/"), path.count > 1 else { return path }
    return path[path.index(after: slash)...]
  }

  /// The last component of a path without its ending.
  package static func baseName(of path: String) -> String {
    let name = lastComponent(of: path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }

  /// The directory that a path is in.
  static func directory(of path: String) -> String {
    let name = lastComponent(of: path)
    let rest = path[..<name.startIndex]
    if rest.isEmpty { return "." }
    return rest.count > 1 ? String(rest.dropLast()) : String(rest)
  }

  /// The path of something in a directory.
  static func path(_ name: String, in directory: String) -> String {
    directory.hasSuffix("/") ? directory + name : directory + "/" + name
  }

  static func notFound(_ tried: [String]) -> ModelError {
    let message =
      tried.count == 1
      ? "There is no model at \(tried[0])." : "There is no model; tried: \(tried.joined(separator: ", "))."
    return ModelError(
      [ModelProblem(.notFound, at: ModelPath(), value: tried.joined(separator: ", "), message: message)],
      file: tried.first)
  }

  private static func tooLong(_ path: String) -> ModelError {
    let megabytes = StreamContents.limit / 1_000_000
    let message = "\(path) is longer than \(megabytes) MB, the most that a model or mapping may have."
    return ModelError(
      [ModelProblem(.syntax, at: ModelPath(), value: path, message: message)], file: path)
  }

  static func unreadable(_ path: String, _ message: String, remedy: String? = nil) -> ModelError {
    ModelError(
      [ModelProblem(.unreadable, at: ModelPath(), value: path, message: message, remedy: remedy)], file: path)
  }
}

/// A model as people name it: a file, a directory of versions for its current one, or `DIRECTORY#VERSION`.
///
/// ```swift
/// let reference = ModelReference("Company.graphmodel#2")
/// print(reference.path, reference.version ?? "the current version")  // Company.graphmodel 2
/// ```
public struct ModelReference: Hashable, Sendable {
  /// The file or directory.
  public let path: String
  /// The version; nil for the current one.
  public let version: String?

  /// Parses a name; a `#` in the name of something that is there belongs to it. `-` is standard input.
  public init(_ text: String) {
    guard text != "-" else {
      (path, version) = ("/dev/stdin", nil)
      return
    }
    let files = FileManager.default
    let hashes = files.fileExists(atPath: text) ? [] : text.indices.filter { text[$0] == "#" }
    let place = hashes.reversed().first {
      $0 > text.startIndex && files.fileExists(atPath: String(text[..<$0]))
    }
    path = place.map { String(text[..<$0]) } ?? text
    version = place.map { String(text[text.index(after: $0)...]) }
  }
}
