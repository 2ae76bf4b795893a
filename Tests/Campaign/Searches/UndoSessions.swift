import Foundation

/// Makes sessions of statements that are undone, redone and rolled back in any order: after each step the
/// store shows the state that it had before the statement, or behind it.
struct UndoSessions: Search {
  let name = "undo"
  let summary =
    "sessions of the shell with .undo, .redo, .begin, .savepoint, .commit and .rollback in any order"
  let share = 1.0

  func examine(_ trial: CampaignCase) throws {
    try Files.copyStore(trial.setup.samples.company.path, to: trial.path("s.db"))
    let script = SessionScript(steps: 4 + trial.random.below(24), with: &trial.random)
    trial.record(script.statements.joined(separator: "\n"))
    let ending = try trial.run(
      ["run", "--keep-going", "-", "-s", "s.db", "-y", "-q"], input: Array(script.text.utf8))
    // A .begin or .commit at the wrong moment, as behind a commit that failed, ends the script.
    trial.expectContract(ending, of: "undo session", codes: [0, 5, 65])
    let trace = SessionTrace(script, output: ending.outputText, errors: ending.errorText)
    guard let trace, trace.steps.count == script.statements.count || ending.code == 65 else {
      trial.violate("a session ends early", key: "\(ending.code)", ending.errorText)
      return
    }
    var expectation = SessionExpectation(first: trace.first)
    for (number, step) in trace.steps.enumerated() {
      guard let wrong = expectation.follow(step) else { continue }
      trial.violate(
        wrong, key: String(step.statement.prefix { $0 != " " }),
        "step \(number + 1), \(step.statement):\n\(step.output)\nwas:\n\(step.before)\nis:\n\(step.after)")
      return
    }
    let check = try trial.run(["check", "-s", "s.db"])
    if check.code != 0 { trial.violate("check", key: "\(check.code)", check.outputText + check.errorText) }
  }
}

/// Statements of a session, with queries between them that show the state.
struct SessionScript {
  private(set) var statements: [String] = []
  /// The number of the line of each statement.
  private(set) var lines: [Int] = []
  private(set) var text = ""
  private var lineCount = 0
  private var isInTransaction = false

  /// What tells the parts of the output.
  static func marker(_ part: String, _ step: Int) -> String { "\(part) == \(step)" }

  private static let queries = [
    "fetch Department --fields name,employees.@count -f csv --no-header",
    "fetch Employee --fields name,email,salary,badge,department.name,manager.name -f csv --no-header",
    "fetch Project --fields title,members.name -f csv --no-header",
  ]

  init(steps: Int, with random: inout Generator) {
    addQueries(0)
    for step in 1...steps {
      let statement = statement(step, &random)
      lines.append(lineCount + 1)
      statements.append(statement)
      add(statement)
      addQueries(step)
    }
  }

  private mutating func add(_ line: String) {
    text += line + "\n"
    lineCount += 1
  }

  private mutating func addQueries(_ step: Int) {
    add("predicate print '\(Self.marker("before", step))'")
    for query in Self.queries { add(query) }
    add("predicate print '\(Self.marker("behind", step))'")
  }

  private mutating func statement(_ step: Int, _ random: inout Generator) -> String {
    if random.once(in: 2) {
      let command = random.pick(
        [
          ".undo", ".undo", ".undo", ".redo", ".redo", ".undo \(1 + random.below(4))",
          ".redo \(1 + random.below(4))", ".refresh",
        ]
          + (isInTransaction
            ? [".commit", ".commit", ".rollback", ".savepoint a", ".rollback a"] : [".begin", ".begin"]))
      if command == ".begin" { isInTransaction = true }
      if command == ".commit" || command == ".rollback" { isInTransaction = false }
      return command
    }
    let employee = "Employee/p\(1 + random.below(12))"
    let other = "Employee/p\(1 + random.below(12))"
    let department = "Department/p\(1 + random.below(4))"
    let project = "Project/p\(1 + random.below(3))"
    // Each statement has a text of its own, by which .undo tells which it is.
    return random.pick([
      "insert Employee name=E\(step) badge=\(1000 + step) department=\(department) manager=\(employee)",
      "insert Department name=D\(step) employees=\(employee),\(other)",
      "insert Project title=T\(step) members=\(employee),\(other)",
      "update \(employee) salary=\(random.below(9))000 name=N\(step)",
      "update \(employee) manager=\(other)", "update \(employee) department:=null",
      "update \(department) name=R\(step)", "update \(department) employees=\(employee),\(other)",
      "update \(project) members=\(other),\(employee)", "update \(project) members:=[]",
      "update Employee where salary > \(random.below(90))000 salary+=\(step)",
      "delete \(employee)", "delete \(department)", "delete \(project)",
      "delete Employee where badge > \(random.below(10))", "link \(project).members \(employee)",
      "unlink \(project).members \(employee)", "link \(employee).reports \(other)",
      "upsert Employee --key badge badge=\(random.below(12)) name=U\(step)",
      "insert Employee name=E\(step) salary=-1", "update \(employee) badge=1",
    ]) + " --timeout \(step + 5)"
  }
}

/// What a session printed: the state between its statements.
struct SessionTrace {
  struct Step {
    var statement: String
    var output: String
    var hasFailed: Bool
    var before: String
    var after: String
  }

  let first: String
  private(set) var steps: [Step] = []

  /// Takes the output apart, as far as it goes; nil where not even the first state is there.
  init?(_ script: SessionScript, output: String, errors: String) {
    let failed = Set(
      errors.split(separator: "\n").compactMap { line -> Int? in
        guard line.hasPrefix("<stdin>:") else { return nil }
        return Int(line.dropFirst(8).prefix { $0 != ":" })
      })
    var rest = output[...]
    func part(upTo marker: String) -> String? {
      guard let range = rest.range(of: marker + "\n") else { return nil }
      defer { rest = rest[range.upperBound...] }
      return String(rest[..<range.lowerBound])
    }
    func state(_ step: Int) -> String? {
      // Objects come in no order that is promised.
      part(upTo: SessionScript.marker("behind", step)).map {
        $0.split(separator: "\n").sorted().joined(separator: "\n")
      }
    }
    guard part(upTo: SessionScript.marker("before", 0)) != nil, var before = state(0) else { return nil }
    first = before
    for (index, statement) in script.statements.enumerated() {
      guard let output = part(upTo: SessionScript.marker("before", index + 1)), let after = state(index + 1)
      else { return }
      steps.append(
        Step(
          statement: statement, output: output, hasFailed: failed.contains(script.lines[index]),
          before: before, after: after))
      before = after
    }
  }
}

/// The states that a session is to show, by what was done so far.
struct SessionExpectation {
  private struct Change {
    var statement: String
    var before: String
    var after: String
  }

  private var done: [Change] = []
  private var undone: [Change] = []
  private var atBegin: (state: String, done: [Change], undone: [Change])
  private var savepoints: [String: (state: String, count: Int)] = [:]

  init(first: String) { atBegin = (first, [], []) }

  /// Follows a step; gives the rule that it broke, if it broke one.
  mutating func follow(_ step: SessionTrace.Step) -> String? {
    let words = step.statement.split(separator: " ").map(String.init)
    if step.hasFailed, !words[0].hasPrefix(".undo"), !words[0].hasPrefix(".redo") {
      return step.after == step.before ? nil : "a statement that failed changed something"
    }
    switch words[0] {
    case ".undo", ".redo": return retrace(step, isUndo: words[0] == ".undo")
    case ".begin":
      atBegin = (step.before, done, undone)
      savepoints = [:]
    case ".commit", ".refresh": break
    case ".savepoint": savepoints[words[1]] = (step.before, done.count)
    case ".rollback": return rollBack(step, to: words.count > 1 ? words[1] : nil)
    default:
      let change = Change(statement: step.statement, before: step.before, after: step.after)
      done.append(change)
      if step.after != step.before { undone = [] }
      return nil
    }
    return step.after == step.before ? nil : "a command that changes nothing changed something"
  }

  /// Follows what was undone or redone, by the texts of the statements.
  private mutating func retrace(_ step: SessionTrace.Step, isUndo: Bool) -> String? {
    var state = step.before
    let word = isUndo ? "undone: " : "redone: "
    for line in step.output.split(separator: "\n") {
      guard let range = line.range(of: word) else { continue }
      let text = String(line[range.upperBound...])
      // Statements that have changed nothing need not be in the history.
      while let last = isUndo ? done.last : undone.last, last.statement != text, last.before == last.after {
        if isUndo { done.removeLast() } else { undone.removeLast() }
      }
      guard let change = isUndo ? done.popLast() : undone.popLast(), change.statement == text else {
        return "another statement was \(isUndo ? "undone" : "redone") than the last"
      }
      if isUndo { undone.append(change) } else { done.append(change) }
      state = isUndo ? change.before : change.after
    }
    guard !step.hasFailed else { return nil }
    return step.after == state ? nil : "\(isUndo ? ".undo" : ".redo") shows another state than it had"
  }

  private mutating func rollBack(_ step: SessionTrace.Step, to name: String?) -> String? {
    guard let name else {
      (done, undone) = (atBegin.done, atBegin.undone)
      return step.after == atBegin.state ? nil : ".rollback shows another state than at .begin"
    }
    guard let savepoint = savepoints[name] else { return "a savepoint is there that nobody made" }
    if done.count > savepoint.count { done.removeSubrange(savepoint.count...) }
    undone = []
    return step.after == savepoint.state ? nil : ".rollback shows another state than the savepoint's"
  }
}
