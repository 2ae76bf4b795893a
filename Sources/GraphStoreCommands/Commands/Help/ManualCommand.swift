import ArgumentParser
import Foundation
import GraphStoreReports

/// `graphstore manual`
struct ManualCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, for man.",
    discussion: """
      It has the help of every command and every page of help: the text is that of --help.

      graphstore manual >graphstore.1; man ./graphstore.1
      """)

  @Option(
    help: ArgumentHelp(
      "Write it as articles in Markdown instead, one for each command and each page of help: a new folder.",
      valueName: "folder"))
  var articles: String?

  @OptionGroup var options: CommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    guard let articles else {
      try session.print([ManualPage.text])
      return .success
    }
    guard !FileManager.default.fileExists(atPath: articles) else {
      throw Diagnostic(
        code: "cannot-create", message: "\(articles) is there already",
        hints: ["remove it first, or choose another name"], exitCode: .cannotCreate)
    }
    let folder = try AtomicFolder(path: articles)
    let all = ManualArticles.all
    for article in all { try folder.write(Array(article.text.utf8), to: "\(article.name).md") }
    try folder.commit()
    session.inform("wrote \(articles)  (\(all.count) articles)")
    return .success
  }
}
