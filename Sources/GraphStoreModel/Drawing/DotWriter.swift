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
