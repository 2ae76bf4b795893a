import GraphStore

/// The relationships of a drawing in characters: a line each, in columns.
struct TextDiagramLinks {
  private struct Link {
    var left: String
    var leftCount: String
    var line: String
    var rightCount: String
    var right: String
    var label: String
  }

  private let links: [Link]
  private let columns: Int

  init(_ diagram: ModelDiagram, columns: Int, glyphs: LineGlyphs) {
    self.columns = columns
    links =
      diagram.lines.map { line in
        let isOneWay = line.backward == nil
        return Link(
          left: line.left.name, leftCount: isOneWay ? "" : line.leftCount.text,
          line: line.forward.isTransient
            ? glyphs.transient : isOneWay ? glyphs.oneWay : glyphs.link,
          rightCount: line.rightCount.text, right: line.right.name, label: line.label)
      }
      + diagram.fetchedProperties.map { property in
        Link(
          left: property.entity.name, leftCount: "", line: glyphs.fetched, rightCount: "0..*",
          right: property.destination.name, label: "\(property.name) (fetched)")
      }
  }

  var lines: [String] {
    let left = width(\.left)
    let leftCount = width(\.leftCount)
    let rightCount = width(\.rightCount)
    let right = width(\.right)
    let drawn = links.map { link in
      TextBlock.padded(link.left, to: left) + "  "
        + TextBlock.padding(leftCount - link.leftCount.count) + link.leftCount
        + " \(link.line) " + TextBlock.padded(link.rightCount, to: rightCount) + "  " + link.right
    }
    let end = left + leftCount + rightCount + right + 10
    let fits = links.allSatisfy { end + 3 + DisplayWidth.of($0.label) <= columns }
    return zip(drawn, links).flatMap { line, link in
      fits ? [TextBlock.padded(line, to: end + 3) + link.label] : [line, "    " + link.label]
    }
  }

  private func width(_ part: KeyPath<Link, String>) -> Int {
    links.map { DisplayWidth.of($0[keyPath: part]) }.max() ?? 0
  }
}
