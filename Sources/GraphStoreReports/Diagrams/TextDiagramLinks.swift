import GraphStore

/// The relationships of a drawing in characters: a line each, in columns.
struct TextDiagramLinks {
  private struct Link {
    var left: String
    var leftCount: String
    var line: String
    var rightCount: String
    var right: String
    /// What is written at it, for each direction.
    var labels: [String]

    var label: String { labels.joined(separator: " / ") }
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
          rightCount: line.rightCount.text, right: line.right.name, labels: line.labels)
      }
      + diagram.fetchedProperties.map { property in
        Link(
          left: property.entity.name, leftCount: "", line: glyphs.fetched, rightCount: "0..*",
          right: property.destination.name, labels: ["\(property.name) (fetched)"])
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
    let room = columns - end - 3
    if links.allSatisfy({ DisplayWidth.of($0.label) <= room }) {
      return zip(drawn, links).map { TextBlock.padded($0, to: end + 3) + $1.label }
    }
    if links.allSatisfy({ $0.labels.allSatisfy { DisplayWidth.of($0) <= room } }) {
      return zip(drawn, links).flatMap { line, link in
        link.labels.enumerated().map { TextBlock.padded($0 == 0 ? line : "", to: end + 3) + $1 }
      }
    }
    return zip(drawn, links).flatMap { line, link in [line] + link.labels.map { "    " + $0 } }
  }

  private func width(_ part: KeyPath<Link, String>) -> Int {
    links.map { DisplayWidth.of($0[keyPath: part]) }.max() ?? 0
  }
}
