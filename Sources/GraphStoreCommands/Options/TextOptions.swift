import ArgumentParser
import GraphStore
import GraphStoreReports

/// Option that says in which encoding text is that is read.
struct TextOptions: ParsableArguments {
  @Option(
    name: .customLong("encoding"),
    help: ArgumentHelp(
      "Encoding of the text, such as windows-1252, latin-1, utf-16 or macintosh (default: UTF-8, or what a byte-order mark says).",
      valueName: "name"),
    completion: .list(TextEncoding.wellKnown))
  var encodingName: String?

  func validate() throws {
    guard let encodingName, encoding == nil else { return }
    let near = NearestNames.names(near: encodingName.lowercased(), among: TextEncoding.wellKnown)
    throw ValidationError(
      "there is no encoding '\(encodingName)'; "
        + (near.isEmpty
          ? "there are \(TextEncoding.wellKnown.joined(separator: ", ")), and more"
          : "did you mean \(near.joined(separator: " or "))?"))
  }

  /// The encoding; nil where none is said.
  var encoding: TextEncoding? { encodingName.flatMap { TextEncoding($0) } }
}
