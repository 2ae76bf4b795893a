import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore model new-version DIR NAME`
struct ModelNewVersionCommand: AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-version", abstract: "Copy the current version of a model, and make the copy current.",
    discussion: """
      Versions that are there already are never changed. Edit the new one afterwards, and see the difference with model diff.

      graphstore model new-version Company.graphmodel 3
      """)

  @Argument(
    help: "Directory of versions, .graphmodel; DIRECTORY#VERSION copies that version.", completion: .file())
  var directory: String
  @Argument(help: "Name of the new version.") var name: String
  @OptionGroup var options: AskingCommandOptions

  func validate() throws {
    guard ModelVersions.isName(name) else {
      throw ValidationError(
        "'\(name)' is no name for a version: it is that of a file without .json, such as 2 or 1.10.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let versions = try ModelVersions(at: directory)
    guard versions.format == .versions else {
      throw Diagnostic(
        code: "usage", message: "\(directory) is no .graphmodel directory",
        hints: ["graphstore model compile \(directory) NAME.graphmodel makes one of it"], exitCode: .usage)
    }
    let names = try ModelVersions(at: versions.path).names
    guard !names.contains(name) else {
      throw Diagnostic(
        code: "cannot-create",
        message: "there is a version \(name) in \(versions.path), and versions are never changed",
        hints: ["there are: \(names.joined(separator: ", "))"], exitCode: .cannotCreate)
    }
    let source = try versions.path(of: versions.currentName)
    _ = try versions.currentModel()
    let text = try Data(contentsOf: URL(fileURLWithPath: source))
    let folder = versions.path.hasSuffix("/") ? versions.path : versions.path + "/"
    try session.writeFile(ModelFileText(Array(text)).settingVersion(to: name), to: folder + "\(name).json")
    if try ModelVersions(at: versions.path).currentName != name {
      try session.writeFile("\(name)\n".utf8, to: folder + "current", replacing: true)
    }
    session.inform("\(folder)\(name).json is a copy of \(versions.currentName), and current")
    return .success
  }
}
