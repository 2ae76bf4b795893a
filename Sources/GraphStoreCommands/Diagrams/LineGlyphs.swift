/// The characters that boxes and lines are made of.
struct LineGlyphs {
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
  static let plain = LineGlyphs(
    horizontal: "-", vertical: "|", corners: [("+", "+"), ("+", "+"), ("+", "+")], branch: "+",
    lastBranch: "+", entry: "|", tip: "^", link: "----", oneWay: "--->", transient: "- - ", fetched: "...>")

  /// Box drawing characters, for terminals that show them.
  static let drawn = LineGlyphs(
    horizontal: "─", vertical: "│", corners: [("┌", "┐"), ("├", "┤"), ("└", "┘")], branch: "├",
    lastBranch: "└", entry: "┤", tip: "▲", link: "────", oneWay: "───>", transient: "╌╌╌╌", fetched: "···>")
}
