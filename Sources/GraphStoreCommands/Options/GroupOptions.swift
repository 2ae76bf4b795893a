import ArgumentParser
import GraphStoreReports

/// Options of results that stand for several objects: groups, aggregates and different values.
struct GroupOptions: ParsableArguments {
  @Option(
    name: .customLong("group-by"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "One row for all objects that are equal in these: department.name,kind; expressions too, with 'as NAME'. Across a to-many, as orders.note, one for each value, with the objects that have it. Without --aggregate the objects of each are counted.",
      valueName: "key paths"))
  var groupLists: [String] = []

  @Option(
    name: .customLong("aggregate"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Print aggregates: count, sum:salary, 'avg:salary as mean', 'max:(salary) - min:(salary) as span', median:salary, 'percentile:(salary, 0.9) as p90'; of each group, or of all objects. One over a to-many, as sum:employees.salary, is a value of each object and gives a row for each: for one row over all, ask the members, as in fetch Employee --aggregate sum:salary. Repeat it for more.",
      valueName: "expressions"))
  var aggregateLists: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Condition on groups: 'count > 1 AND sum:(salary) > 1000', with names of results.",
      valueName: "predicate"))
  var having: String?

  @Flag(help: "Print equal rows once, without ids.")
  var distinct = false

  /// What the options ask for.
  var text: GroupText {
    GroupText(keys: groupLists, aggregates: aggregateLists, having: having, isDistinct: distinct)
  }

  func validate() throws {
    try groupLists.checkGaps("--group-by")
    try aggregateLists.checkGaps("--aggregate")
  }
}

extension GroupOptions: FastPathOptions {
  static var plain: GroupOptions {
    var options = GroupOptions()
    options.groupLists = []
    options.aggregateLists = []
    options.having = nil
    options.distinct = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--group-by": line.add(to: &groupLists)
    case "--aggregate": line.add(to: &aggregateLists)
    case "--having": having = line.text(option, isUnconditional: true)
    case "--distinct": distinct = line.flag(option)
    default: return false
    }
    return true
  }
}
