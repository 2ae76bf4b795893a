import GraphStore

/// Names of variables: those that have values, and those that texts ask for.
package enum VariableNames {
  /// Refuses values for variables that nothing asks for: most often a name is misspelled.
  ///
  /// - Parameters:
  ///   - known: The names of the variables that are asked for.
  ///   - message: What is said before `variable $NAME`.
  package static func refuseUnused(_ given: [String], known: [String], message: String) throws(Diagnostic) {
    for name in given where !known.contains(name) {
      var seen: Set<String> = []
      let names = known.filter { seen.insert($0).inserted }.map { "$" + $0 }.joined(separator: ", ")
      throw Diagnostic(
        code: "unknown-variable", message: "\(message) variable $\(name)",
        hints: [known.isEmpty ? "there is none" : "there is \(names)"],
        suggestions: NearestNames.names(near: name, among: known), exitCode: .usage)
    }
  }
}
