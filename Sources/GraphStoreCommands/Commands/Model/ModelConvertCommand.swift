import ArgumentParser
import Foundation
import GraphStore

/// `graphstore model convert SRC DST`
struct ModelConvertCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert", abstract: "Write a model in another format.",
    discussion: """
      The names say what is meant: .json is one model; .graphmodel is a directory of versions; .xcdatamodel and \
      .xcdatamodeld are those of Xcode; .mom and .momd are compiled and can be read only. Between directories all versions \
      and the current one are kept; a single file gets the current version. - as DST prints JSON.

      What was read otherwise than it stands, or left out, is a warning with its line. DST is written whole or not at all.

      graphstore model convert Shop.xcdatamodeld Shop.graphmodel
      graphstore model convert Shop.graphmodel Shop.xcdatamodeld --force
      """)

  @Argument(help: ArgumentHelp("Model to read.", valueName: "src"), completion: .file()) var source: String
  @Argument(help: ArgumentHelp("Where to write it; - prints JSON.", valueName: "dst"), completion: .file())
  var destination: String
  @Flag(help: "Replace what is there.") var force = false
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let path =
      destination.count > 1 && destination.hasSuffix("/") ? String(destination.dropLast()) : destination
    let format = path == "-" ? .json : try Self.format(of: path)
    let isThere = path != "-" && FileManager.default.fileExists(atPath: path)
    if isThere, !force {
      throw Diagnostic(
        code: "file-exists", message: "\(path) is there already", hints: ["--force replaces it"],
        exitCode: .cannotCreate)
    }
    let conversion = try ModelConversion(of: source, to: format)
    conversion.notices.forEach { session.report(Self.diagnostic($0)) }
    if isThere {
      try Self.checkKind(path, conversion)
      try session.confirm("replace \(path)")
    }
    try Self.write(conversion, to: path, in: session)
    if path != "-" { session.note("wrote \(path)") }
    return .success
  }

  /// What a name asks to be written.
  private static func format(of path: String) throws -> ModelFormat {
    if let format = ModelFormat(endingOf: path) { return format }
    throw Diagnostic(
      code: "usage", message: "the name of \(path) does not say what to write",
      hints: ["end it in .json, .graphmodel, .xcdatamodel or .xcdatamodeld"], exitCode: .usage)
  }

  /// Keeps a folder from replacing a file, and a file from replacing a folder.
  private static func checkKind(_ path: String, _ conversion: ModelConversion) throws {
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
    guard isDirectory.boolValue != conversion.isDirectory else { return }
    throw Diagnostic(
      code: "cannot-create",
      message:
        "\(path) is \(isDirectory.boolValue ? "a folder" : "a file") and would not be replaced by its like",
      hints: ["remove it first, or choose another name"], exitCode: .cannotCreate)
  }

  private static func write(
    _ conversion: ModelConversion, to path: String, in session: CommandSession
  ) throws {
    if path == "-" {
      return try session.withOutput { output in conversion.files.forEach { output.append($0.bytes) } }
    }
    if conversion.isDirectory {
      let folder = try AtomicFolder(path: path)
      for file in conversion.files { try folder.write(file.bytes, to: file.path) }
      return try folder.commit()
    }
    let file = try AtomicFile(path: path)
    let output = OutputBuffer(descriptor: file.descriptor, path: path)
    conversion.files.forEach { output.append($0.bytes) }
    try output.flush()
    try file.commit()
  }

  private static func diagnostic(_ notice: ModelConversion.Notice) -> Diagnostic {
    let finding = notice.finding
    let place = finding.path.description
    var warning = Diagnostic(
      code: finding.rule, message: place.isEmpty ? finding.message : "\(place): \(finding.message)",
      hints: finding.remedy.map { [$0] } ?? [], exitCode: .success)
    warning.severity = .warning
    warning.location = notice.file.map {
      Diagnostic.Location(file: $0, line: finding.line, column: finding.column)
    }
    return warning
  }
}
