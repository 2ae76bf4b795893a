import ArgumentParser

/// The forms in which a model is drawn.
enum DiagramForm: String, CaseIterable, Sendable, ExpressibleByArgument {
  /// A Mermaid `erDiagram`, for Markdown.
  case mermaid
  /// The language of Graphviz.
  case dot
  /// A picture, drawn by Graphviz.
  case svg
  /// Boxes and lines of characters.
  case ascii

  /// The form that a file's name asks for by its ending, if there is one.
  init?(path: String) {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
    switch path[path.index(after: dot)...].lowercased() {
    case "mmd", "mermaid": self = .mermaid
    case "dot", "gv": self = .dot
    case "svg": self = .svg
    case "txt": self = .ascii
    default: return nil
    }
  }
}
