import Foundation

/// Makes scripts, configurations, environments and arguments: whatever they say, the command ends as the
/// contract has it.
struct MadeScripts: Search {
  let name = "scripts"
  let summary = "made scripts, lines of the shell, project files, environment variables and arguments"
  let share = 1.5

  func examine(_ trial: CampaignCase) throws {
    try Files.copyStore(trial.setup.samples.company.path, to: trial.path("s.db"))
    switch trial.random.below(4) {
    case 0, 1: try runScript(trial)
    case 2: try configure(trial)
    default: try callWithArguments(trial)
    }
    Files.remove(trial.path(".graphstore.json"))
    Files.remove(trial.aside("home/.config"))
    let check = try trial.run(["check", "-s", "s.db"])
    if check.code != 0 { trial.violate("check", key: "\(check.code)", check.outputText + check.errorText) }
  }

  // MARK: Scripts

  private static let words = [
    "where", "fetch", "Employee", "Department", "insert", "update", "delete", "--all", "-y", "name=x",
    "salary+=1", "salary > 5", "'", "\"",
    "\\", ";", "\n", "#", ".begin", ".commit", ".rollback", ".savepoint a", ".undo", ".redo", ".status",
    ".format json", ".read x.gs",
    ".help", ".schema", ".entities", ".vars", ".var x=1", "$x", ".explain on", ".timer on", ".null X",
    ".exit 0", "Employee/p1", "count",
    "link Project/p1.members Employee/p5", "--fields name", "--sort -name", "{", "}", "(", ")",
    "get Employee/p1", ".error", ".last",
    "import --all records.ndjson", "export Employee", ".width 20", ".echo on", ".bail off", ".validate",
    ".refresh",
  ]

  private func line(_ random: inout Generator) -> String {
    let lines = [
      "fetch Employee where salary > 50000", "count Employee where",
      "count Employee where name BEGINSWITH 'A'", "insert Department name=q",
      "insert Employee name=\"a b\" salary=5 department=Department/p1", "update Employee/p2 salary+=1",
      "update Employee --all salary=1 -y",
      "delete Employee/p9", "delete Department/p3", "link Project/p1.members Employee/p5",
      "unlink Project/p1.members Employee/p1",
      "get Employee/p1 --fields name,manager.name", ".begin", ".commit", ".rollback", ".undo", ".redo",
      ".status", ".savepoint a",
      "upsert Employee --key badge badge=3 name=x", "explain Employee where salary > 1 --sort name",
      ".format ndjson", ".schema Employee",
      ".entities", ".var n=5", "count Employee where salary > $n", "export Project",
      "predicate print 'a == 1'", "info", "check",
      "metadata set a=b", "metadata get a", ".help", ".refresh", ".validate", ".explain on", ".timer on",
      "insert Employee name=",
      "model show", ".error", "# nothing", "", ";", "fetch Employee;count Employee",
      "fetch Employee where name == 'a;b' --limit 2",
      "update Employee where salary < 0 name=x", "import Employee people.csv", "delete Employee where",
    ]
    if random.once(in: 4) {
      return (0...random.below(6)).map { _ in random.pick(Self.words) }.joined(
        separator: random.once(in: 4) ? "" : " ")
    }
    let line = random.pick(lines)
    return random.once(in: 5)
      ? String(decoding: Mutation.mutated(line, words: Self.words, with: &random), as: UTF8.self) : line
  }

  private func runScript(_ trial: CampaignCase) throws {
    let lines = (0...trial.random.below(8)).map { _ in line(&trial.random) }
    let text = lines.joined(separator: "\n") + (trial.random.once(in: 5) ? "" : "\n")
    try Files.write("name,salary\nNew,5\nBad,x\n", to: trial.path("people.csv"))
    try Files.write(text, to: trial.path("x.gs"))
    let before = try state(trial)
    let arguments = trial.random.pick([
      ["run", "-"], ["run", "x.gs"], ["run", "--keep-going", "-"], ["run", "--no-transaction", "-"],
      ["shell"], ["shell", "-X"],
      ["run", "--echo", "-"], ["run", "--error-format", "json", "-"],
    ])
    let ending = try trial.run(arguments + ["-s", "s.db", "-y"], input: Array(text.utf8))
    trial.expectContract(ending, of: arguments[0], codes: [0, 2, 3, 4, 5, 65, 66, 73, 74, 78])
    let isOneTransaction =
      arguments[0] == "shell" || !arguments.contains { ["--keep-going", "--no-transaction"].contains($0) }
    let isMetadata = text.contains("metadata")
    // Without an error 2 is what a statement of a script has answered that is saved.
    let hasError = ["error: ", "{\"error\""].contains { ending.errorText.contains($0) }
    let hasFailed = ![0, 2, 5].contains(ending.code) || (ending.code == 2 && hasError)
    if isOneTransaction, hasFailed, !isMetadata, try state(trial) != before {
      trial.violate(
        "a failed script changed the store", key: "\(arguments[0]) \(ending.code)", ending.errorText)
    }
    let lineByLine = try trial.run(
      ["shell", "-s", "s.db", "-y"] + lines.filter { !$0.contains("\0") }.flatMap { ["-c", $0] })
    trial.expectContract(lineByLine, of: "shell -c", codes: [0, 2, 3, 4, 5, 64, 65, 66, 73, 74, 78])
  }

  private func state(_ trial: CampaignCase) throws -> [String] {
    try SecondReader.contents(of: trial.path("s.db")) ?? []
  }

  // MARK: Configurations

  private func configure(_ trial: CampaignCase) throws {
    let files = [
      #"{"store": "s.db", "model": "MODEL"}"#, #"{"store": "s.db"}"#, #"{"store": 5}"#,
      #"{"store": "nosuch.db", "format": "json"}"#,
      #"{"store": "../work/s.db", "historyPerStore": true}"#, #"{"model": ["a", "b"]}"#, "{", "[]", "null",
      "", "{\"store\": \"\u{0}\"}",
      #"{"store": ""}"#, #"{"store": "."}"#, #"{"store": "s.db", "nosuch": {"a": [1]}}"#,
      #"{"store": "s.db", "store": "x"}"#,
    ]
    var text = Array(
      trial.random.pick(files).replacingOccurrences(of: "MODEL", with: trial.setup.companyModel).utf8)
    if trial.random.once(in: 3) { Mutation.mutate(&text, with: &trial.random) }
    if !trial.random.once(in: 4) { try Files.write(text, to: trial.path(".graphstore.json")) }
    if trial.random.once(in: 4) {
      try Files.makeFolder(trial.aside("home/.config/graphstore"))
      try Files.write(text, to: trial.aside("home/.config/graphstore/config.json"))
    }
    var environment: [String: String] = [:]
    for name in [
      "STORE", "MODEL", "FORMAT", "ERROR_FORMAT", "COLOR", "PAGER", "HISTORY", "CONFIG", "TIMEOUT",
      "NO_INPUT", "SQL_LOG", "TRACE",
    ]
    where trial.random.once(in: 4) {
      environment["GRAPHSTORE_" + name] = trial.random.pick([
        "", "s.db", "json", "text", "0", "-1", "1e400", "nosuch", "always", "/dev/null", "cat", "\u{1B}[31m",
        ".", "x".repeated(5000), "3", "true",
      ])
    }
    for name in [
      "LC_ALL", "LANG", "TZ", "TERM", "COLUMNS", "HOME", "TMPDIR", "NO_COLOR", "CLICOLOR_FORCE",
      "XDG_CONFIG_HOME", "PAGER",
    ]
    where trial.random.once(in: 5) {
      environment[name] = trial.random.pick([
        "", "C", "de_DE.UTF-8", "xxxxxxxxxxxx", "tr_TR", "0", "-1", "99999999999999999999", "/nosuch",
        "Europe/Berlin", "\u{7F}", "x".repeated(3000),
        "zh-Hant-x-very-long-language-tag-of-many-parts", "@", "C.UTF-8@x",
      ])
    }
    let commands: [[String]] = [
      ["fetch", "Employee"], ["count", "Employee", "-w", "name <[l] 'b'"], ["info"],
      ["insert", "Department", "name=x"], ["export", "--all"],
      ["run", "-c", "count Employee"], ["shell", "-c", "count Employee"], ["check"], ["model", "show"],
      ["init", "new.db"], ["fetch", "Nosuch"],
      ["fetch", "Employee", "--sort", "name", "-f", "table"], ["filter", "a == 1", "/dev/null"],
      ["explain", "Employee", "-w", "name =[cl] 'x'"],
    ]
    for _ in 0..<3 {
      let arguments = trial.random.pick(commands)
      let ending = try trial.run(arguments, environment: environment)
      trial.expectContract(ending, of: "\(arguments[0]) configured")
    }
  }

  // MARK: Arguments

  private func callWithArguments(_ trial: CampaignCase) throws {
    let commands = [
      "fetch", "get", "count", "insert", "update", "upsert", "delete", "link", "unlink", "import", "export",
      "explain", "predicate", "filter",
      "run", "model", "init", "info", "metadata", "check", "completions", "help", "shell",
    ]
    let pieces = [
      "Employee", "Department", "Person", "Employee/p1", "Employee/p999", "Project/p1.members",
      "x-coredata://x/Employee/p1", "name=x",
      "salary:=5", "salary:=null", "salary+=1", "name=@/etc/hostname", "name=@nosuch",
      "department?=name == 'Sales'", "department=Department/p2",
      "members:=[\"Employee/p1\"]", "--where", "salary > 5", "--fields", "name,department.name", "--sort",
      "-salary", "--limit", "-1", "3",
      "--offset", "99999999999999999999", "--format", "json", "-f", "table", "--null", "", "--width", "0",
      "--width", "-5", "--time-zone", "UTC",
      "Mars/Phobos", "--var", "x=1", "--template", "wellPaid", "MIN=1", "--exit-code", "--all", "-y", "-n",
      "--max", "0", "--key", "badge",
      "--json", "--ndjson", "-q", "--time", "--read-only", "--timeout", "0", "-1", "nan", "1e300",
      "--error-format", "--color", "always", "-o",
      "out.txt", "/dev/full", "/nosuch/x", ".", "s.db", "--model", "--", "-", "--help", "--version", "--from",
      "csv", "people.csv", "show",
      "validate", "list", "get", "set", "key", "value", "check", "print", "bash", "--strict", "--tree",
      "--stop-after", "--into", "--return",
      "\u{1B}[31m", "é", "'", "$(x)", "*", "../../../../etc/passwd", "x".repeated(2000), "@count",
      "--subentities", "--no-subentities", "--no-header",
    ]
    try Files.write("name,salary\nNew,5\n", to: trial.path("people.csv"))
    for _ in 0..<4 {
      let command = trial.random.pick(commands)
      let arguments = (0..<trial.random.below(7)).map { _ in
        trial.random.once(in: 12)
          ? String(
            decoding: Mutation.mutated(trial.random.pick(pieces), with: &trial.random).filter { $0 != 0 },
            as: UTF8.self)
          : trial.random.pick(pieces)
      }
      let ending = try trial.run([command] + arguments, environment: ["GRAPHSTORE_STORE": "s.db"])
      trial.expectContract(ending, of: "\(command) by arguments")
      // Only what was named may have been replaced.
      if !Files.exists(trial.path("s.db")) {
        trial.violate("the store is gone", key: command, ending.commandLine)
        return
      }
    }
  }
}

extension String {
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
