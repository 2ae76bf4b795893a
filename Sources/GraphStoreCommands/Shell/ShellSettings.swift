/// What dot commands change for the statements that follow.
struct ShellSettings: Hashable, Sendable {
  /// The name of an output format; nil means the command's own default.
  var format: String?
  /// How NULL prints; nil means the format's own way.
  var null: String?
  /// Columns to print; nil means the terminal's width.
  var width: Int?
  /// Values for `$name` in predicates, in the order they were given. They are typed by the attribute they meet.
  var variables: [VariableText] = []
  /// True while a person types; output may then be decorated and questions asked.
  var isInteractive = false
  var showsTime = false
  var echoes = false
  /// Whether each fetch says first how it runs.
  var explains = false

  /// Sets or replaces a variable.
  mutating func setVariable(_ variable: VariableText) {
    if let index = variables.firstIndex(where: { $0.name == variable.name }) {
      variables[index] = variable
    } else {
      variables.append(variable)
    }
  }
}
