/// Defect of a regular expression that does not compile, as far as its brackets and escapes show.
struct PatternProblem {
  /// The reason as a clause.
  var reason: String
  /// The position of the defect in scalars from 0.
  var position: Int

  /// Searches a pattern for a defect; nil when brackets, escapes and repetitions look right.
  static func find(in pattern: String) -> PatternProblem? {
    let scalars = Array(pattern.unicodeScalars)
    var groups: [Int] = []
    var set: Int?
    var canRepeat = false
    var index = 0
    while index < scalars.count {
      defer { index += 1 }
      let scalar = scalars[index]
      if scalar == "\\" {
        guard index + 1 < scalars.count else {
          return PatternProblem(reason: "a backslash stands at its end", position: index)
        }
        index += 1
        canRepeat = true
        continue
      }
      if let open = set {
        if scalar == "]", index > open + 1 { set = nil }
        continue
      }
      switch scalar {
      case "[":
        set = index
        canRepeat = true
      case "(":
        groups.append(index)
        canRepeat = false
        if index + 1 < scalars.count, scalars[index + 1] == "?" { index += 1 }
      case ")":
        guard groups.popLast() != nil else {
          return PatternProblem(reason: "a ) closes no (", position: index)
        }
        canRepeat = true
      case "*", "+", "?":
        guard canRepeat else {
          return PatternProblem(reason: "\(scalar) stands where there is nothing to repeat", position: index)
        }
      case "|", "^": canRepeat = false
      default: canRepeat = true
      }
    }
    if let set { return PatternProblem(reason: "a [ is not closed", position: set) }
    return groups.last.map { PatternProblem(reason: "a ( is not closed", position: $0) }
  }
}
