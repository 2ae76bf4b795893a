/// What dot commands change for the statements that follow.
struct ShellSettings: Hashable, Sendable {
  /// The name of an output format; nil means the command's own default.
  var format: String?
  /// How NULL prints; nil means the format's own way.
  var null: String?
  /// Columns to print; nil means the terminal's width.
  var width: Int?
  /// Values for `$name` in predicates, in the order they were given. They are typed by the attribute they meet.
  var variables: [Variable] = []
  /// True while a person types; output may then be decorated and questions asked.
  var isInteractive = false
  var showsTime = false
  var echoes = false
  /// Whether each fetch says first how it runs.
  var explains = false

  /// A variable and its text.
  struct Variable: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// Sets or replaces a variable.
  mutating func setVariable(_ name: String, to value: String) {
    if let index = variables.firstIndex(where: { $0.name == name }) {
      variables[index].value = value
    } else {
      variables.append(Variable(name: name, value: value))
    }
  }
}
