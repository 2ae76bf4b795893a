import ArgumentParser

/// `graphstore manual`
struct ManualCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, for man.",
    discussion: """
      It has the help of every command and every page of help: the text is that of --help.

      graphstore manual >graphstore.1; man ./graphstore.1
      """)

  @OptionGroup var options: CommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    try session.print([ManualPage.text])
    return .success
  }
}
