import Foundation

/// A folder of generated sources.
///
/// Each file appears whole or not at all. A file whose bytes are right already is not touched, so that build
/// systems see no change; a file of people is made where there is none and never written again; nothing is
/// ever removed.
public struct CodeFolder: Sendable {
  /// Change of a file, made or planned.
  public enum Change: String, Hashable, Sendable {
    /// It was made.
    case created
    /// It had other content before.
    case rewritten
    /// It had this content before.
    case unchanged
    /// It is there and belongs to people.
    case kept
  }

  /// A file and what happened to it.
  public struct Outcome: Hashable, Sendable {
    /// The path.
    public var path: String
    /// The change of the file.
    public var change: Change
  }

  /// The folder's path; the folder is made when something is written.
  public let path: String

  /// Names a folder.
  public init(_ path: String) { self.path = path }

  /// Writes files, or with `isDryRun` says what would be done.
  ///
  /// - Throws: ``CodeFileError`` for the first file that cannot be written; those before it have been.
  public func write(_ files: [GeneratedFile], isDryRun: Bool = false) throws(CodeFileError) -> [Outcome] {
    var outcomes: [Outcome] = []
    if !isDryRun { try CodeFile.makeFolder(path) }
    for generated in files {
      let file = CodeFile(path: path.hasSuffix("/") ? path + generated.name : "\(path)/\(generated.name)")
      let change = try file.change(to: generated)
      if !isDryRun, change == .created || change == .rewritten { try file.write(generated.text) }
      outcomes.append(Outcome(path: file.path, change: change))
    }
    return outcomes
  }

  /// The names of the Swift files whose text begins in a way, in order.
  func files(beginningWith start: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { name in
      guard name.hasSuffix(".swift") else { return false }
      let bytes = try? Data(contentsOf: URL(fileURLWithPath: path).appendingPathComponent(name))
      return bytes?.starts(with: start.utf8) ?? false
    }.sorted()
  }
}
