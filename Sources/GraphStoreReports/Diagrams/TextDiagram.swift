import GraphStore

/// Drawing of a model in characters: entities as boxes, sub-entities as trees, relationships as lines
/// beneath.
package struct TextDiagram {
  private let diagram: ModelDiagram
  private let columns: Int
  private let glyphs: LineGlyphs
  private let children: [EntityDescription: [DiagramBox]]

  /// - Parameter columns: what the drawing is to fit into.
  package init(_ diagram: ModelDiagram, columns: Int, glyphs: LineGlyphs) {
    self.diagram = diagram
    self.columns = max(columns, 40)
    self.glyphs = glyphs
    var children: [EntityDescription: [DiagramBox]] = [:]
    for box in diagram.boxes {
      if let parent = diagram.parent(of: box) { children[parent, default: []].append(box) }
    }
    self.children = children
  }

  /// The drawing, line by line.
  package var lines: [String] {
    let roots = diagram.boxes.filter { diagram.parent(of: $0) == nil }
    let boxes = TextBlock.arranged(
      roots.map { TextBlock(lines: tree($0, indent: 0)) }, columns: columns)
    let links = TextDiagramLinks(diagram, columns: columns, glyphs: glyphs).lines
    return boxes + (boxes.isEmpty || links.isEmpty ? [] : [""]) + links
  }

  // MARK: Trees

  private func tree(_ box: DiagramBox, indent: Int) -> [String] {
    let below = children[box.entity] ?? []
    var lines = self.lines(of: box, indent: indent, hasChildren: !below.isEmpty)
    for (position, child) in below.enumerated() {
      // Trees that are very deep go down without going further right.
      guard canIndent(indent) else {
        lines += tree(child, indent: indent)
        continue
      }
      let isLast = position == below.count - 1
      for (row, line) in tree(child, indent: indent + 4).enumerated() {
        lines.append(prefix(row, isLast: isLast) + (row == 1 ? entered(line) : line))
      }
    }
    return lines
  }

  private func canIndent(_ indent: Int) -> Bool { indent + 8 < columns / 2 }

  private func prefix(_ row: Int, isLast: Bool) -> String {
    if row == 1 { return "  \(isLast ? glyphs.lastBranch : glyphs.branch)\(glyphs.horizontal)" }
    return row == 0 || !isLast ? "  \(glyphs.vertical) " : "    "
  }

  /// The line of a title with the branch that comes to it.
  private func entered(_ line: String) -> String { glyphs.entry + line.dropFirst() }

  // MARK: Boxes

  private func lines(of box: DiagramBox, indent: Int, hasChildren: Bool) -> [String] {
    var title = box.entity.name
    if let parent = box.entity.superentity, !canIndent(indent) || diagram.parent(of: box) == nil {
      title += " < \(parent.name)"
    }
    if box.entity.isAbstract { title += " (abstract)" }
    let rows = rows(of: box, room: max(columns - indent - 4, 20))
    let inner = (rows + [title]).map { DisplayWidth.of($0) }.max() ?? 0
    var lines = [rule(0, inner), row(title, inner)]
    if !rows.isEmpty { lines += [rule(1, inner)] + rows.map { row($0, inner) } }
    return lines + [rule(2, inner, tip: hasChildren)]
  }

  private func rows(of box: DiagramBox, room: Int) -> [String] {
    let names = box.rows.map { VisibleText.escape($0.attribute.name) }
    let nameWidth = names.map { DisplayWidth.of($0) }.max() ?? 0
    let typeWidth = box.rows.map { $0.attribute.type.rawValue.count }.max() ?? 0
    let wordWidth = min(max(room - nameWidth - typeWidth - 4, 12), 34)
    let indent = TextBlock.padding(nameWidth + typeWidth + 4)
    var lines: [String] = []
    for (name, row) in zip(names, box.rows) {
      let type = row.attribute.type.rawValue
      let words = row.words.map { VisibleText.escape($0) }
      let wrapped = TextBlock.wrapped(words, separator: ",", columns: wordWidth)
      let start = TextBlock.padded(name, to: nameWidth) + "  "
      guard let first = wrapped.first else {
        lines.append(start + type)
        continue
      }
      lines.append(start + TextBlock.padded(type, to: typeWidth) + "  " + first)
      for line in wrapped.dropFirst() { lines.append(indent + line) }
    }
    return lines
  }

  private func row(_ text: String, _ inner: Int) -> String {
    "\(glyphs.vertical) \(TextBlock.padded(text, to: inner)) \(glyphs.vertical)"
  }

  private func rule(_ kind: Int, _ inner: Int, tip: Bool = false) -> String {
    let corner = glyphs.corners[kind]
    let line = { (count: Int) in String(repeating: glyphs.horizontal, count: max(count, 0)) }
    let middle = tip ? line(1) + glyphs.tip + line(inner) : line(inner + 2)
    return corner.left + middle + corner.right
  }
}

/// The characters that boxes and lines are made of.
package struct LineGlyphs {
  var horizontal: String
  var vertical: String
  /// Upper corners, ends of the line under the title, lower corners: left and right.
  var corners: [(left: String, right: String)]
  /// Where a branch leaves a trunk, and where the last one does.
  var branch: String
  var lastBranch: String
  /// The left side of a box that a branch comes to.
  var entry: String
  /// The tip of the line from sub-entities.
  var tip: String
  /// A line between entities, one that leads one way, and those of what is not stored and of what is fetched.
  var link: String
  var oneWay: String
  var transient: String
  var fetched: String

  /// ASCII alone.
  package static let plain = LineGlyphs(
    horizontal: "-", vertical: "|", corners: [("+", "+"), ("+", "+"), ("+", "+")], branch: "+",
    lastBranch: "+", entry: "|", tip: "^", link: "----", oneWay: "--->", transient: "- - ", fetched: "...>")

  /// Box drawing characters, for terminals that show them.
  package static let drawn = LineGlyphs(
    horizontal: "─", vertical: "│", corners: [("┌", "┐"), ("├", "┤"), ("└", "┘")], branch: "├",
    lastBranch: "└", entry: "┤", tip: "▲", link: "────", oneWay: "───>", transient: "╌╌╌╌", fetched: "···>")
}
