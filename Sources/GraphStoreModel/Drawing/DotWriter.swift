/// Writes a diagram in the language of Graphviz.
package struct DotWriter {
  private let diagram: ModelDiagram

  /// Makes a writer of a diagram.
  package init(_ diagram: ModelDiagram) { self.diagram = diagram }

  /// The lines of the text.
  package var lines: [String] {
    let font = "fontname=\"Helvetica,Arial,sans-serif\""
    var lines = [
      "digraph \(Self.quoted(diagram.model.name)) {",
      "  graph [\(font), nodesep=0.9, ranksep=1.0, pad=0.3];",
      "  node [shape=plain, \(font), fontsize=11];",
      "  edge [\(font), fontsize=9, color=\"#555555\", fontcolor=\"#333333\", labeldistance=2.2];",
    ]
    for box in diagram.boxes {
      lines.append("  \(Self.quoted(box.entity.name)) [label=<\(DotLabel.table(box))>];")
    }
    for box in diagram.boxes {
      guard let parent = diagram.parent(of: box) else { continue }
      lines.append(
        "  \(Self.edge(parent, box.entity)) [dir=back, arrowtail=empty, arrowsize=1.2, weight=3];")
    }
    for line in diagram.lines { lines.append("  " + Self.text(line)) }
    for property in diagram.fetchedProperties {
      lines.append(
        "  \(Self.edge(property.entity, property.destination)) "
          + "[style=dotted, arrowhead=vee, label=\(Self.quoted("\u{A0}\u{A0}\(property.name) (fetched)"))];")
    }
    lines.append("}")
    return lines
  }

  private static func text(_ line: DiagramLine) -> String {
    let head = arrow(line.rightCount)
    let tail = line.backward == nil ? "none" : arrow(line.leftCount)
    let style = line.forward.isTransient ? ", style=dashed" : ""
    return "\(edge(line.left, line.right)) [dir=both, arrowtail=\(tail), arrowhead=\(head)\(style), "
      + "label=<\(DotLabel.label(line))>];"
  }

  private static func arrow(_ count: DiagramCount) -> String {
    (count.isMany ? "crow" : "tee") + (count.allowsNone ? "odot" : "tee")
  }

  private static func edge(_ from: EntityDescription, _ to: EntityDescription) -> String {
    "\(quoted(from.name)) -> \(quoted(to.name))"
  }

  /// A quoted name.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return result + "\""
  }
}

/// Labels in the HTML that Graphviz understands.
enum DotLabel {
  /// An entity: its name, and a row for each attribute.
  static func table(_ box: DiagramBox) -> String {
    let name = escaped(box.entity.name)
    let title =
      box.entity.isAbstract
      ? "<i><b>\(name)</b></i><br/><font point-size=\"9\">abstract</font>" : "<b>\(name)</b>"
    let colour = box.entity.isAbstract ? "#eeeeee" : "#dce8f5"
    var text = "<table border=\"0\" cellborder=\"1\" cellspacing=\"0\" cellpadding=\"5\" color=\"#555555\">"
    text += "<tr><td bgcolor=\"\(colour)\">\(title)</td></tr>"
    if !box.rows.isEmpty {
      text += "<tr><td bgcolor=\"#ffffff\"><table border=\"0\" cellspacing=\"0\" cellpadding=\"2\">"
      text += box.rows.map(row).joined()
      text += "</table></td></tr>"
    }
    return text + "</table>"
  }

  private static func row(_ row: DiagramBox.Row) -> String {
    let name = escaped(row.attribute.name)
    let words = row.words.map(escaped).joined(separator: ", ")
    let cells = [
      row.attribute.isOptional ? name : "<b>\(name)</b>",
      "<font color=\"#225588\">\(row.attribute.type.rawValue)</font>",
      words.isEmpty ? " " : "<font color=\"#777777\">\(words)</font>",
    ]
    return "<tr>" + cells.map { "<td border=\"0\" align=\"left\">\($0)</td>" }.joined() + "</tr>"
  }

  /// A relationship and its inverse, a line each, with where they lead to.
  static func label(_ line: DiagramLine) -> String {
    guard let backward = line.backward else { return text(line.forward, " one-way") }
    if backward === line.forward { return text(line.forward, " own inverse") }
    return text(line.forward) + "<br align=\"left\"/>" + text(backward) + "<br align=\"left\"/>"
  }

  private static func text(_ relationship: RelationshipDescription, _ more: String = "") -> String {
    var words = [DiagramCount(relationship).text]
    if relationship.isOrdered { words.append("ordered") }
    if relationship.isTransient { words.append("transient") }
    words.append(relationship.deleteRule.rawValue)
    // Spaces that do not break keep the text off the line.
    return "\u{A0}\u{A0}<b>\(escaped(relationship.name))</b> <font color=\"#777777\">"
      + "\(escaped(words.joined(separator: " ") + more))</font>"
  }

  /// Text as content of an element.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default:
        result.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
      }
    }
    return result
  }
}
