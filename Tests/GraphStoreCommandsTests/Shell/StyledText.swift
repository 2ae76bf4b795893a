/// The parts of a terminal's output that stand in a style other than the plain one.
struct StyledText {
  /// Each run of text in a style, other escape sequences left out.
  private(set) var runs: [String] = []
  /// Whether a style is on at the end.
  private(set) var isOpen = false

  init(_ output: String) {
    var rest = Array(output.unicodeScalars)[...]
    var run = ""
    while let scalar = rest.popFirst() {
      guard scalar == "\u{1B}" else {
        if isOpen { run.unicodeScalars.append(scalar) }
        continue
      }
      guard rest.first == "[" else {
        // A sequence that chooses a set of characters has one more.
        if let kind = rest.popFirst(), "()*+".unicodeScalars.contains(kind) { rest = rest.dropFirst() }
        continue
      }
      rest = rest.dropFirst()
      let parameters = rest.prefix { (0x20...0x3F).contains($0.value) }
      rest = rest.dropFirst(parameters.count)
      guard rest.popFirst() == "m" else { continue }
      if isOpen, !run.isEmpty { runs.append(run) }
      run = ""
      isOpen = !parameters.allSatisfy { $0 == "0" }
    }
    if isOpen, !run.isEmpty { runs.append(run) }
  }
}
