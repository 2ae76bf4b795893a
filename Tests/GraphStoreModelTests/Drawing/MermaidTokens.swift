/// Reads a Mermaid `erDiagram` by its published grammar; nil stands for a text that has no problem.
struct MermaidTokens {
  private static let name = #"(?:"[^"%\r\n\\]+"|[A-Za-z_][A-Za-z0-9_]*)"#
  private static let quoted = #""[^"\r\n]*""#

  /// The first line that is no statement.
  static func problem(in lines: [String]) -> String? {
    guard lines.first == "erDiagram" else { return lines.first ?? "" }
    let open = try? Regex(#"^\s*\#(name)(?:\[\#(quoted)\])?( \{)?$"#)
    let link = try? Regex(
      #"^\s*\#(name) (?:\|o|\|\||\}o|\}\|)(?:--|\.\.)(?:o\||\|\||o\{|\|\{) \#(name) : \#(quoted)$"#)
    let attribute = try? Regex(#"^\s*[A-Za-z]\w* (?!(?i:pk|fk|uk)\b)[A-Za-z_]\w*(?: UK)?(?: \#(quoted))?$"#)
    guard let open, let link, let attribute else { return "the expressions" }
    var isInside = false
    for line in lines.dropFirst() {
      if isInside {
        if line.contains(/^\s*\}$/) {
          isInside = false
        } else if !line.contains(attribute) {
          return line
        }
      } else if line.contains(open) {
        isInside = line.hasSuffix("{")
      } else if !line.contains(link) {
        return line
      }
    }
    return isInside ? "the end" : nil
  }
}
