import Testing

@testable import GraphStoreCommands

@Suite("Completion")
struct CompleterTests {
  /// `|` is the cursor.
  private func complete(_ text: String, variables: [String] = [], preceding: [String] = []) -> Completion {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let completer = Completer(
      source: CompanyCompletions(variables: variables), formatNames: ["table", "json"], preceding: preceding,
      files: { $0 == "dir/" ? ["load all.gs", "lost.gs"] : ["dir/", "a.gs", ".hidden"] })
    return completer.complete(parts.joined(), cursor: parts[0].utf8.count)
  }

  private func names(_ text: String, variables: [String] = [], preceding: [String] = []) -> [String] {
    complete(text, variables: variables, preceding: preceding).candidates.map(\.text)
  }

  @Test("The first word is a command, or a dot command")
  func commands() {
    #expect(names("|") == ["fetch", "update", "get", "link", "import", "model"])
    #expect(names("  fe|") == ["fetch"])
    #expect(names("insert x; fe|") == ["fetch"])
    #expect(names(".ro|") == [".rollback"])
    #expect(names(".ti|") == [".timer"])
    #expect(names("# fe|") == [])
    #expect(names("nothing |") == [])
  }

  @Test("A candidate replaces the word up to the cursor, and a single one ends with a blank")
  func ranges() {
    let single = complete("fetch Em| rest")
    #expect(single.range == 6..<8)
    #expect(single.commonText == "Employee ")
    let several = complete("fetch é --|")
    #expect(several.range == 9..<11)
    #expect(several.commonText == "--")
    #expect(complete("fetch Employee --sort -dep|").commonText == "department.")
  }

  @Test("CTX-437: .context has words, and these the contexts that can be meant")
  func contexts() {
    let completer = Completer(
      source: CompanyCompletions(),
      contexts: {
        [
          ContextStatus(name: "main"), ContextStatus(name: "draft", parent: "main", depth: 1),
          ContextStatus(name: "deep", parent: "draft", depth: 2, isPresent: true),
          ContextStatus(name: "other"),
        ]
      })
    func names(_ text: String) -> [String] {
      completer.complete(text, cursor: text.utf8.count).candidates.map(\.text)
    }
    #expect(names(".con") == [".context"])
    #expect(names(".context ") == ["new", "switch", "list", "drop"])
    #expect(names(".context new ") == ["--scratch"])
    #expect(names(".context switch ") == ["main", "draft", "other"])
    #expect(names(".context switch d") == ["draft"])
    #expect(names(".context drop ") == ["deep", "other"])
    #expect(names(".context list ") == [] && names(".context switch main ") == [])
  }

  @Test("Entities follow the command, in any case")
  func entities() {
    #expect(names("fetch |") == ["Department", "Employee", "Task"])
    #expect(names("fetch emp|") == ["Employee"])
    #expect(names("update T|") == ["Task"])
    #expect(names("model show --entity D|") == ["Department"])
    #expect(names("model |") == ["show", "validate"])
    #expect(names(".schema E|") == ["Employee"])
  }

  @Test("Options of the command, and the values they take")
  func options() {
    #expect(names("fetch Employee --f|") == ["--fields", "--format"])
    #expect(names("fetch Employee --format |") == ["table", "json"])
    #expect(names("fetch Employee --format=j|") == ["json"])
    #expect(names("fetch Employee --limit |") == [])
    #expect(names("update Employee/p1 --|") == ["--where"])
    #expect(names("fetch Employee wh|") == ["where"])
    #expect(names("fetch Employee |").prefix(3) == ["where", "--where", "--sort"])
  }

  @Test("Key paths go one step at a time, through lists and signs")
  func keyPaths() {
    #expect(names("fetch Employee --fields name,department.|") == ["name", "employees"])
    #expect(complete("fetch Employee --fields name,department.|").range == 40..<40)
    #expect(names("fetch Employee --sort -sal|") == ["salary"])
    #expect(names("fetch Employee --sort -|").count == 6)
    #expect(names("fetch Employee --fields manager.manager.department.na|") == ["name"])
    #expect(names("fetch Employee --fields reports.@|") == ["@count"])
    #expect(names("fetch Employee --fields name.|") == [])
    #expect(names("fetch Employee --fields nobody.|") == [])
    #expect(!complete("fetch Employee --fields dep|").endsWord)
    #expect(complete("fetch Employee --fields sal|").endsWord)
  }

  @Test("Sort keys have an order: behind a relationship the path goes on")
  func sortKeys() {
    #expect(names("fetch Employee --sort -|").suffix(3) == ["department.", "manager.", "reports."])
    #expect(names("fetch Employee --sort name,-department.|") == ["name", "employees."])
    #expect(names("fetch Employee --sort department.employees.@|") == ["@count"])
    #expect(!complete("fetch Employee --sort man|").endsWord)
  }

  @Test("Fetch requests of the entity, functions that aggregate, and their keys")
  func templatesAndAggregates() {
    #expect(names("fetch Employee --template |") == ["wellPaid", "young"])
    #expect(names("fetch Employee --template w|") == ["wellPaid"])
    #expect(names("fetch Department --template |") == [])
    #expect(names("fetch Employee --aggregate |") == ["count", "sum:", "avg:"])
    #expect(names("fetch Employee --aggregate count,s|") == ["sum:"])
    #expect(names("fetch Employee --aggregate 'count, sum:sal|") == ["salary"])
    #expect(names("fetch Employee --aggregate 'max:(sal|") == ["salary"])
  }

  @Test("Ids of objects in memory, their relationships, and files of an import")
  func objects() {
    #expect(complete("get Emp|").commonText == "Employee/")
    #expect(names("get Employee/|") == ["Employee/p1", "Employee/p12", "Employee/t3"])
    #expect(names("get Employee/p1 Employee/p12|") == ["Employee/p12"])
    #expect(names("update Employee/t|") == ["Employee/t3"])
    #expect(names("link Employee/p1|") == ["Employee/p1.", "Employee/p12."])
    #expect(names("link Employee/p1.|") == ["department", "manager", "reports"])
    #expect(names("link Department/p1.em|") == ["employees"])
    #expect(complete("link Employee/p1.reports Emp|").commonText == "Employee/")
    #expect(names("import Employee |").prefix(2) == ["dir/", "a.gs"])
    #expect(names("import Employee a.gs d|") == ["dir/"])
  }

  @Test("A predicate begins with keys, words and quantifiers")
  func operands() {
    for start in [
      "fetch Employee where ", "fetch Employee --where '", "fetch Employee -w \"name == 'x' AND ",
    ] {
      #expect(names(start + "sa|") == ["salary"])
      #expect(names(start + "department.|") == ["name", "employees"])
      #expect(names(start + "A|") == ["ANY", "ALL"])
      #expect(names(start + "ANY reports.sal|") == ["salary"])
      #expect(names(start + "(NOT man|") == ["manager"])
      #expect(names(start + "reports.@c|") == ["@count"])
    }
    #expect(names("fetch Employee where |").prefix(2) == ["name", "salary"])
  }

  @Test("Operators fit the attribute's type")
  func operators() {
    #expect(names("fetch Employee where name BE|") == ["BEGINSWITH"])
    #expect(names("fetch Employee where salary B|") == ["BETWEEN"])
    #expect(names("fetch Employee where active |") == ["==", "!="])
    #expect(names("fetch Employee where department.name C|") == ["CONTAINS"])
    #expect(names("fetch Employee where department |") == ["==", "!=", "IN"])
    #expect(names("fetch Employee where reports.@count |").contains(">"))
    #expect(names("fetch Employee where salary C|") == [])
  }

  @Test("Behind an operator come variables, words of the type and keys")
  func values() {
    #expect(names("fetch Employee where salary > $|", variables: ["min", "max"]) == ["$min", "$max"])
    #expect(names("fetch Employee where salary >$mi|", variables: ["min", "max"]) == ["$min"])
    #expect(names("fetch Employee where active == t|") == ["true"])
    #expect(names("fetch Employee where manager == ni|") == ["nil"])
    #expect(names("fetch Employee where salary > manager.|").contains("salary"))
    #expect(names("fetch Employee where name == 'dep|") == [])
  }

  @Test("Behind a comparison come connectives, and then a predicate again")
  func connectives() {
    #expect(names("fetch Employee where salary > 5 |").prefix(2) == ["AND", "OR"])
    #expect(names("fetch Employee where salary IN {1, 2} A|") == ["AND"])
    #expect(names("fetch Employee where (salary > 5) O|") == ["OR"])
    #expect(names("fetch Employee where name ==[cd] 'x' O|") == ["OR"])
    #expect(names("fetch Employee where salary > 5 OR na|") == ["name"])
    #expect(names("fetch Employee where salary > 5 --li|") == ["--limit"])
  }

  @Test("A predicate goes on over the lines of a block")
  func blocks() {
    let block = ["fetch Employee where (", "  salary > 5"]
    #expect(names("  AND dep|", preceding: block) == ["department"])
    #expect(complete("  AND dep|", preceding: block).range == 6..<9)
  }

  @Test("Assignments offer the entity's keys, and what they can hold")
  func assignments() {
    #expect(complete("update Employee sal|").commonText == "salary=")
    #expect(names("update Employee name=x act|") == ["active="])
    #expect(names("update Employee active=f|") == ["false"])
    #expect(complete("update Employee department=D|").commonText == "Department/")
    #expect(names("update Employee/p3 man|") == ["manager="])
    #expect(names("update Employee name=|") == [])
  }

  @Test("File names follow .read, escaped for the line")
  func files() {
    #expect(names(".read |") == ["dir/", "a.gs"])
    #expect(names(".read .|") == [".hidden"])
    #expect(complete(".read di|").commonText == "dir/")
    #expect(names(".read dir/lo|") == [#"load\ all.gs"#, "lost.gs"])
    #expect(complete(".read dir/load|").commonText == #"load\ all.gs "#)
    #expect(complete(".read 'dir/load|").commonText == "load all.gs")
    #expect(names("model validate a|") == ["a.gs"])
    #expect(names(".read a.gs |") == [])
  }

  @Test("Values of dot commands")
  func dotCommands() {
    #expect(names(".timer o|") == ["on", "off"])
    #expect(names(".format j|") == ["json"])
    #expect(names(".help fe|") == ["fetch"])
    #expect(names(".color a|") == ["auto", "always"] && names(".query s|") == ["save"])
    #expect(names(".fields Dep|") == ["Department"] && names(".fields Department na|") == ["name"])
    #expect(names(".open di|") == ["dir/"] && names(".once a|") == ["a.gs"])
  }

  @Test("Any text completes without a trap", arguments: TestSeed.sequence(100))
  func anyText(seed: TestSeed) {
    var generator = seed.generator
    let parts = [
      "fetch ", "Employee ", "where ", "--sort ", "department", ".", "'", "\"", "(", "{", ",", "@count", "$",
      "é", " ",
      "=", "\\", ";", "AND ", "ANY ", ".read ", "[", "\n", "-",
    ]
    let text = (0..<12).map { _ in generator.pick(parts) }.joined()
    let length = text.utf8.count
    for cursor in 0...length {
      let completion = Completer(source: CompanyCompletions(), files: { _ in ["a b"] }).complete(
        text, cursor: cursor)
      #expect(completion.range.lowerBound >= 0, "\(seed)")
    }
  }

  @Test("A list is laid out in columns that fit")
  func columns() {
    #expect(CompletionList.text(["aa", "b", "ccc"], columns: 12) == "aa   ccc\nb\n")
    #expect(CompletionList.text(["long", "longer"], columns: 3) == "long\nlonger\n")
    #expect(CompletionList.text((0..<300).map(String.init), columns: 80).hasSuffix("… and 100 more\n"))
  }
}
