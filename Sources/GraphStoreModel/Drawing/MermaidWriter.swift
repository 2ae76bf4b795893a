/// Writes a diagram as a Mermaid `erDiagram`.
package struct MermaidWriter {
  private let diagram: ModelDiagram

  /// Makes a writer of a diagram.
  package init(_ diagram: ModelDiagram) { self.diagram = diagram }

  /// The lines of the text.
  package var lines: [String] {
    var lines = ["erDiagram"]
    for box in diagram.boxes { lines += self.lines(of: box).map { "  " + $0 } }
    for box in diagram.boxes {
      guard let parent = diagram.parent(of: box) else { continue }
      lines.append("  \(Self.name(parent)) ||..o| \(Self.name(box.entity)) : \"parent of\"")
    }
    for line in diagram.lines { lines.append("  " + Self.text(line)) }
    for property in diagram.fetchedProperties {
      let ends = (Self.name(property.entity), Self.name(property.destination))
      lines.append("  \(ends.0) }o..o{ \(ends.1) : \(Self.quoted("\(property.name) (fetched)"))")
    }
    return lines
  }

  private func lines(of box: DiagramBox) -> [String] {
    var title = Self.name(box.entity)
    if box.entity.isAbstract { title += "[\(Self.quoted("\(box.entity.name) (abstract)"))]" }
    guard !box.rows.isEmpty else { return [title] }
    return ["\(title) {"] + box.rows.map { "  " + Self.text($0) } + ["}"]
  }

  private static func text(_ row: DiagramBox.Row) -> String {
    var notes = row.notes
    var name = row.attribute.name
    // A key's word cannot be a name.
    if ["pk", "fk", "uk"].contains(name.lowercased()) {
      notes.insert("named \(name)", at: 0)
      name += "_"
    }
    var text = "\(row.attribute.type.rawValue) \(name)"
    if row.isUnique { text += " UK" }
    if !notes.isEmpty { text += " " + quoted(notes.joined(separator: ", ")) }
    return text
  }

  private static func text(_ line: DiagramLine) -> String {
    let left = line.leftCount
    let right = line.rightCount
    let start = (left.isMany ? "}" : "|") + (left.allowsNone ? "o" : "|")
    let end = (right.allowsNone ? "o" : "|") + (right.isMany ? "{" : "|")
    return "\(name(line.left)) \(start)--\(end) \(name(line.right)) : \(quoted(line.label))"
  }

  /// Words of the grammar, in any case, are no names unless they are quoted.
  private static let words: Set<String> = [
    "accdescr", "acctitle", "class", "classdef", "direction", "end", "erdiagram", "many", "one", "only",
    "optionally", "style", "subgraph", "title", "to", "u", "zero",
  ]

  private static func name(_ entity: EntityDescription) -> String {
    let isPlain = entity.name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return isPlain && !words.contains(entity.name.lowercased()) ? entity.name : quoted(entity.name)
  }

  /// A quoted text: there is no escape for quotes and line ends, so others replace them.
  private static func quoted(_ text: String) -> String {
    let safe = text.unicodeScalars.map { scalar -> Character in
      if scalar == "\"" { return "'" }
      if scalar == "\\" { return "/" }
      return scalar.properties.generalCategory == .control ? " " : Character(scalar)
    }
    return "\"\(String(safe))\""
  }
}
