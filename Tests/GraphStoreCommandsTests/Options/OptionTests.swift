import Testing

@testable import GraphStoreCommands

@Suite("Options that are given several times, or wrongly")
struct OptionTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test("Lists add up, by the plain way and by the parser's")
  func lists() throws {
    let plain = try tool.run("fetch", "Employee", "--fields", "name", "--fields", "badge,salary", "-f", "csv")
    #expect(plain.lines.first == "name,badge,salary")
    let parsed = try tool.run(
      "fetch", "Employee", "--fields=name", "--fields", "badge", "--sort", "department.name", "--sort",
      "-name", "--format=csv")
    #expect(parsed.lines == ["name,badge", "Grace,1", "Ada,2", "Bob,3"])
    let got = try tool.run("get", "Employee/p1", "--fields", "name", "--fields", "badge", "-f", "csv")
    #expect(got.lines == ["name,badge", "Grace,1"])
    let filtered = try tool.run(
      "filter", "a > 0", "--sort", "b", "--sort", "-a",
      input: "{\"a\":1,\"b\":1}\n{\"a\":2,\"b\":1}\n{\"a\":3,\"b\":0}\n")
    #expect(filtered.lines == ["{\"a\":3,\"b\":0}", "{\"a\":2,\"b\":1}", "{\"a\":1,\"b\":1}"])
  }

  @Test(
    "A second value of an option that takes one is an error, never the last in silence",
    arguments: [
      ["fetch", "Employee", "--limit", "1", "--limit", "2"],
      ["count", "Employee", "-s", "a", "--limit", "1", "--limit", "2"],
      ["fetch", "Employee", "-f", "csv", "--format", "json"],
      ["fetch", "Employee", "--template", "a", "--template=b"],
      ["--timeout", "1", "count", "Employee", "--timeout", "2"],
    ])
  func repeated(_ words: [String]) throws {
    let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("is given twice"), "\(outcome.errors)")
    #expect(outcome.output == "")
  }

  @Test(
    "What has no store takes no option of one, wherever it stands",
    arguments: [
      ["filter", "a == 1"], ["predicate", "print", "a == 1"], ["completions", "bash"],
      ["model", "merge", "a.json", "b.json"], ["model", "compile", "a.json", "b.json"],
      ["model", "convert", "a.json", "b.json"], ["model", "new-version", "a", "b"],
    ])
  func storeless(_ words: [String]) throws {
    let program = CommandLineTool.executable.path
    let help = try tool.run(
      program, words.prefix { !$0.contains(" ") && !$0.contains(".") } + ["--help"], input: nil)
    #expect(!help.output.contains("--store") && help.output.contains("--quiet"), "\(help.output)")
    for option in [["--store", "hr.db"], ["--timeout=3"], ["--read-only"], ["--model", "x"]] {
      for line in [option + words, words + option] {
        let outcome = try tool.run(program, line, input: nil)
        #expect(
          outcome.code == 64 && outcome.errors.contains("unknown option '\(option[0].prefix { $0 != "=" })"),
          "\(outcome.errors)")
      }
    }
  }

  @Test(
    "What asks no questions takes no option on them, wherever it stands",
    arguments: [
      ["completions", "bash"], ["predicate", "print", "a == 1"],
      ["predicate", "check", "Employee", "TRUEPREDICATE"], ["count", "Employee"],
      ["explain", "Employee"], ["link", "Project/p1.members", "Employee/p1"], ["metadata", "set", "a=b"],
      ["metadata", "unset", "a"], ["init", "x.db"], ["model", "show"], ["model", "list", "m.json"],
      ["model", "validate", "m.json"], ["model", "lint", "m.json"], ["model", "diff", "a.json", "b.json"],
      ["model", "hashes", "m.json"], ["model", "codegen", "-o", "folder"],
    ])
  func consentless(_ words: [String]) throws {
    let program = CommandLineTool.executable.path
    let commands = RootCommand.commands.filter { !$0.configuration.subcommands.isEmpty }.map(\.self)
    let depth = commands.contains { $0._commandName == words[0] } ? 2 : 1
    let help = try tool.run(program, words.prefix(depth) + ["--help"], input: nil).output
    #expect(!help.contains("--yes") && !help.contains("--no-input") && !help.contains("-y "), "\(help)")
    for option in ["--yes", "--no-input"] {
      for line in [option == "--yes" ? [option] + words : words + [option]] {
        let outcome = try tool.run(program, line, input: nil)
        #expect(
          outcome.code == 64 && outcome.errors.contains("unknown option '\(option)'"), "\(outcome.errors)")
      }
    }
    #expect(try tool.run(program, words + ["-y"], input: nil).code == 64)
  }

  @Test("Every command that asks has the options on questions")
  func consent() throws {
    for words in [
      ["delete"], ["update"], ["unlink"], ["import"], ["export"], ["fetch"], ["get"], ["insert"], ["upsert"],
      ["filter"], ["info"], ["metadata", "list"], ["metadata", "get"], ["run"], ["shell"],
      ["model", "merge"], ["model", "compile"], ["model", "convert"], ["model", "diagram"],
      ["model", "from-store"], ["model", "new-version"],
    ] {
      let help = try tool.run(CommandLineTool.executable.path, words + ["--help"], input: nil).output
      #expect(help.contains("--yes") && help.contains("--no-input") && help.contains("-y "), "\(words)")
    }
    #expect(try tool.run("--yes", "delete", "Project", "--all").code == 0)
  }

  @Test("A variable has one value")
  func variables() throws {
    for words in [
      ["count", "Employee", "-w", "badge == $a"], ["filter", "a == $a"], ["run", "-c", "count Employee"],
    ] {
      let outcome = try tool.run(
        CommandLineTool.executable.path, words + ["--var", "a=1", "--var", "a:=2"], input: nil)
      #expect(outcome.code == 64 && outcome.errors.contains("$a"), "\(outcome.errors)")
    }
  }

  @Test("A dry run needs nobody's consent")
  func dryRuns() throws {
    let update = try tool.run("update", "Employee", "--all", "salary+=1", "-n")
    #expect(update.code == 0 && update.output.contains("would update 3 Employee"))
    let delete = try tool.run("delete", "Project", "--all", "-n")
    #expect(delete.code == 0 && delete.output.contains("nothing written"))
    #expect(try tool.run("delete", "Project", "--all").code == 4)
  }

  @Test("Values that look like options, flags given twice and words behind -- are no repetition")
  func noRepetition() throws {
    #expect(try tool.run("fetch", "Employee", "--sort", "-name", "--null", "--sort", "-q", "-q").code == 0)
    #expect(try tool.run("run", "-c", "count Employee", "-c", "count Department").lines == ["3", "2"])
  }

  @Test("A gap in a list of key paths is said", arguments: ["name,", "", ",name", "name, ,badge"])
  func gaps(list: String) throws {
    for command in [["fetch", "Employee"], ["get", "Employee/p1"]] {
      let outcome = try tool.run(CommandLineTool.executable.path, command + ["--fields", list], input: nil)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains("--fields"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("has no key"))
    }
  }

  @Test("A value that begins with - and was not taken is said to be written behind =")
  func dashes() throws {
    let outcome = try tool.run("import", "Employee", "x.csv", "--on-error", "-1")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("--on-error=-1"), "\(outcome.errors)")
  }

  @Test("What other languages write as a sort key is told as it is written here")
  func sortKeys() throws {
    for (key, hint) in [("name desc", "name:desc"), ("name[cd]", "name:caseInsensitive")] {
      let outcome = try tool.run("fetch", "Employee", "--sort", key)
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }
    let behind = try tool.run("fetch", "Employee", "--fields", "reports.@count.foo")
    #expect(behind.code == 64 && behind.errors.contains("no key follows it"), "\(behind.errors)")
    for word in ["import", "export"] {
      let help = try tool.run(word, "--help").output
      #expect(help.contains("SHORT FORMS:") && help.contains("EVERY COMMAND:"), "\(help)")
    }
  }

  @Test("What begins like a command is taken for its beginning first")
  func beginnings() throws {
    #expect(try tool.run("fet").errors.contains("did you mean \"fetch\""))
    let outcome = try tool.run("--error-format", "json", "bogus")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("\"code\":\"unknown-command\""), "\(outcome.errors)")
  }
}
