import Foundation
import GraphStoreTestSupport
import Testing

/// `graphstore history` through the built command.
struct HistoryCommandTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool.staffedCompany()
    _ = try tool.run("history", "enable")
  }

  private func text(of file: String) throws -> String {
    try String(contentsOf: tool.folder.appendingPathComponent(file), encoding: .utf8)
  }

  private func token() throws -> String {
    let last = try tool.run("history").output.split(separator: "\n").last ?? ""
    return String(last.dropFirst("token: ".count))
  }

  @Test("CTX-439, CTX-440: writes are recorded with their author; the last line is the token to go on from")
  func listing() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    let first = try token()
    _ = try tool.run("update", "Employee/p3", "salary:=8", "name=Bo", "--author", "payroll")
    let all = try tool.run("history").output
    #expect(all.contains("graphstore") && all.contains("payroll"))
    let table = try tool.run("history", "--since", first).output.split(separator: "\n")
    #expect(table.count == 3 && table[1].contains("payroll") && table[1].contains("name, salary"))
    #expect(table[1].contains("update") && table[1].contains("Employee/p3"))
    #expect(try table[2] == "token: \(token())")
    #expect(
      try tool.run("history", "--author", "payroll", "-f", "csv").output.split(separator: "\n").count == 2)
    let lines = try tool.run("history", "--since", first, "--ndjson").output.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains(#""properties":["name","salary"]"#))
    #expect(try lines[1] == #"{"token":"\#(token())"}"#)
  }

  @Test("CTX-440: one entity, one object, a predicate, a time, and so many transactions")
  func selection() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    _ = try tool.run("insert", "Department", "name=New")
    func count(_ options: String...) throws -> Int {
      let words = options.map { "\"\($0)\"" }.joined(separator: " ")
      return try tool.runShell("graphstore history --ndjson \(words)").output.split(separator: "\n").count - 1
    }
    #expect(try count() == 2 && count("--entity", "Department") == 1 && count("--object", "Employee/p3") == 1)
    #expect(try count("--where", "changeType == 'insert'") == 1 && count("--limit", "1") == 1)
    #expect(try count("--since", "2000-01-01") == 2 && count("--since", "2999-01-01") == 0)
  }

  @Test("CTX-440, DGN-215: what is wrong with a request is said, with the exit code of its kind")
  func refusals() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    let token = try token()
    let junk = try tool.run("history", "--since", "yesterday")
    #expect(junk.code == 64 && junk.errors.contains("neither a token nor a time"))
    #expect(try tool.run("history", "--entity", "Emploee").code == 64)
    #expect(try tool.run("history", "--where", "autor == 'x'").errors.contains("author"))
    _ = try tool.run("update", "Employee/p3", "salary:=8")
    _ = try tool.run("history", "purge", "--before", "2999-01-01", "--yes")
    let expired = try tool.run("history", "--since", token)
    #expect(expired.code == 65 && expired.errors.contains("history-expired"))
    _ = try tool.run("history", "disable", "--yes")
    let none = try tool.run("history")
    #expect(none.code == 64 && none.errors.contains("history-not-tracked"))
  }

  @Test("CTX-441: purging and disabling ask, and do nothing where nobody can be asked")
  func consent() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    #expect(try tool.run("history", "purge", "--before", "2999-01-01").code == 4)
    #expect(try tool.run("history", "disable").code == 4)
    #expect(try tool.run("history", "--ndjson").output.split(separator: "\n").count == 2)
    #expect(try tool.run("history", "purge", "--yes").code == 64)
    let purged = try tool.run("history", "purge", "--before", "2999-01-01", "--yes", "--json")
    #expect(purged.output.contains(#""removed":1"#))
  }

  @Test("CTX-404: readers are registered, and what all have read is purged")
  func consumers() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    let token = try token()
    _ = try tool.run("update", "Employee/p3", "salary:=8")
    _ = try tool.run("history", "consumers", "--add", "mirror")
    #expect(try tool.run("history", "purge", "--read-by-all", "--yes", "--json").output.contains(#":0,"#))
    #expect(try tool.run("history", "consumers", "--set", "mirror=\(token)").output.contains(token))
    #expect(try tool.run("history", "purge", "--read-by-all", "--yes", "--json").output.contains(#":1,"#))
    #expect(try tool.run("history", "--since", token).code == 0)
    #expect(
      try tool.run("history", "consumers", "--remove", "mirror").output.split(separator: "\n").count <= 1)
  }

  @Test("CTX-404: a list of no readers is empty, and has its headers")
  func noConsumers() throws {
    #expect(try tool.run("history", "consumers", "--json").output == "[]\n")
    #expect(try tool.run("history", "consumers", "-f", "csv").output == "name,token,updated\n")
    #expect(
      try tool.run("history", "consumers", "-f", "markdown").lines
        == ["| name | token | updated |", "| --- | --- | --- |"])
  }

  @Test("DGN-104: info says what a history costs")
  func costs() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    let info = try tool.run("info").output
    #expect(info.contains("history.transactions") && info.contains("history.oldest"))
  }

  @Test("CTX-376, CTX-378, CTX-433: eight processes write; the history has all of it, numbered without a gap")
  func processes() throws {
    let line = "for i in 1 2 3 4 5; do graphstore update Employee/p3 salary+=1 --timeout 60 --author w"
    let background = (1...8).map { InBackground(tool, "\(line)\($0); done") }
    #expect(background.map { $0.outcome().errors } == [String](repeating: "", count: 8))
    let lines = try tool.run("history", "-f", "csv", "--no-header", "-q").output.split(separator: "\n")
    #expect(lines.compactMap { Int($0.prefix { $0 != "," }) } == Array(1...40))
    for writer in 1...8 {
      #expect(lines.count { $0.contains(",w\(writer),") } == 5, "w\(writer)")
    }
  }

  @Test("CTX-440: following prints what is committed from then on, a line each")
  func following() throws {
    let follower = InBackground(tool, "echo $$ > pid; exec graphstore history --follow --ndjson > followed")
    let pid = try follower.waitUntilWatching()
    _ = try tool.run("update", "Employee/p3", "salary:=1")
    _ = try tool.run("insert", "Department", "name=New")
    let lines = try follower.waitForLines(2, in: "followed")
    kill(pid, SIGINT)
    #expect(follower.outcome().code == 130)
    #expect(lines.count == 2 && lines.last?.contains(#""object":"Department/p"#) == true, "\(lines)")
  }

  @Test("CTX-440: following in rows prints the names of the columns once")
  func followingRows() throws {
    let follower = InBackground(tool, "echo $$ > pid; exec graphstore history --follow -f csv > followed")
    let pid = try follower.waitUntilWatching()
    _ = try tool.run("update", "Employee/p3", "salary:=1")
    _ = try follower.waitForLines(2, in: "followed")
    _ = try tool.run("update", "Employee/p3", "salary:=2")
    let lines = try follower.waitForLines(3, in: "followed")
    kill(pid, SIGINT)
    #expect(follower.outcome().code == 130)
    #expect(lines.count == 3 && lines.count { $0.hasPrefix("transaction,") } == 1, "\(lines)")
  }

  @Test("CTX-440, CTX-404: a follower that is killed goes on after the last token that it has printed")
  func killedFollower() throws {
    var seen: [String] = []
    var since = try token()
    for round in 1...3 {
      for file in ["pid", "followed"] {
        try? FileManager.default.removeItem(at: tool.folder.appendingPathComponent(file))
      }
      let follower = InBackground(
        tool, "echo $$ > pid; exec graphstore history --follow --since \(since) > followed")
      let pid = try follower.waitUntilWatching()
      for number in 0..<3 {
        _ = try tool.run("update", "Employee/p1", "Employee/p3", "salary:=\(round * 10 + number)")
      }
      _ = try follower.waitForLines(round == 2 ? 1 : 4, in: "followed")
      kill(pid, SIGKILL)
      _ = follower.outcome()
      // What has no token yet is read again, as is a line that has no end.
      var open: [String] = []
      let lines = try text(of: "followed").split(separator: "\n", omittingEmptySubsequences: false)
      for line in lines.dropLast() {
        open.append(String(line))
        guard let token = line.firstMatch(of: /"token":"([^"]+)"/) else { continue }
        (seen, open, since) = (seen + open, [], String(token.1))
      }
    }
    seen += try tool.run("history", "--since", since, "--ndjson").output.split(separator: "\n").dropLast()
      .map { String($0) }
    let all = try tool.run("history", "--ndjson").output.split(separator: "\n").dropLast().map { String($0) }
    #expect(seen == all && all.count == 18, "\(seen.count) of \(all.count)")
  }

  @Test("CTX-440: a long history is listed page by page, each transaction once, with any limit")
  func pages() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    try tool.damage(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS, ZTIMESTAMP)
        WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
        SELECT i, 16002, 1, 1, 1, 1000 + i FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 1000 WHERE Z_ENT = 16002
      """)
    _ = try tool.run("update", "Employee/p3", "salary:=8")
    func numbers(_ options: String...) throws -> [Int] {
      let words = options.map { "'\($0)'" }.joined(separator: " ")
      return try tool.runShell("graphstore history -f csv --no-header -q \(words)").lines.compactMap {
        Int($0.prefix { $0 != "," })
      }
    }
    #expect(try numbers() == Array(1...1001))
    for limit in [1, 499, 500, 501, 1000, 1001, 2000] {
      #expect(try numbers("--limit", "\(limit)") == Array(1...min(limit, 1001)), "\(limit)")
    }
    #expect(try numbers("--object", "Employee/p3") == [1, 1001])
    #expect(try numbers("--where", "transactionNumber > 998") == [999, 1000, 1001])
    let json = try tool.run("history", "--json", "-q").output
    let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    #expect(rows.compactMap { $0["transaction"] as? Int } == Array(1...1001))
    let last = try tool.run("history", "--limit", "700", "--ndjson").output.split(separator: "\n").suffix(2)
    #expect(last.first?.contains(":700-") == true && last.last?.contains(":700-") == true, "\(last)")
  }

  @Test("CTX-375, DGN-215: a store in one document keeps no history, and nobody is told to begin one")
  func documents() throws {
    let model = Repository.root.appendingPathComponent("Models/company.json").path
    try #require(try tool.run("init", "hr.json", "--type", "json", "--model", model).code == 0)
    let none = try tool.run("history", "-s", "hr.json")
    #expect(none.code == 64 && none.errors.contains("[history-not-tracked]"), "\(none.errors)")
    #expect(none.errors.contains("stores of the types SQLite and PostgreSQL keep one"))
    #expect(!none.errors.contains("enable"))
    #expect(try tool.run("history", "enable", "-s", "hr.json").errors.contains("[store-option]"))
  }

  @Test("CTX-440: only the last row of a transaction has its token: who has read it all can go on there")
  func tokensOfRows() throws {
    _ = try tool.run("update", "Employee", "salary:=7", "--all", "--yes")
    let lines = try tool.run("history", "--ndjson").output.split(separator: "\n").dropLast()
    #expect(lines.count > 2 && lines.dropLast().allSatisfy { $0.contains(#""token":null"#) }, "\(lines)")
    #expect(try lines.last?.contains(#""token":"\#(token())""#) == true)
  }

  @Test(
    "CTX-440: a file has the rows and the token, in every form",
    arguments: ["ndjson", "table", "line", "csv"])
  func files(_ form: String) throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    _ = try tool.run("insert", "Department", "name=New")
    #expect(try tool.run("history", "-f", form, "-o", "rows", "-q").code == 0)
    let rows = try text(of: "rows")
    #expect(rows.contains("Employee/p3") && rows.contains("Department/"))
    #expect(rows.contains("token") == (form != "csv"))
    #expect(try rows == tool.run("history", "-f", form, "-q").output)
  }

  @Test("CTX-440: a file that is followed has each row at once, and keeps all of them")
  func followedFile() throws {
    let follower = InBackground(tool, "echo $$ > pid; exec graphstore history --follow -o followed")
    let process = try follower.waitUntilWatching()
    for salary in ["7", "8", "9"] { _ = try tool.run("update", "Employee/p3", "salary:=\(salary)") }
    let lines = try follower.waitForLines(3, in: "followed")
    #expect(lines.count == 3 && lines.allSatisfy { $0.contains("Employee/p3") })
    kill(process, SIGINT)
    _ = follower.outcome()
    #expect(try text(of: "followed").split(separator: "\n").count == 3)
  }

  @Test("CTX-440: times in predicates, and errors of evaluation that show the predicate")
  func predicates() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    func lines(_ text: String) throws -> Int {
      try tool.run("history", "--ndjson", "--where", text).output.split(separator: "\n").count - 1
    }
    #expect(try lines("timestamp > \"2020-01-01\"") == 1 && lines("timestamp < \"2020-01-01\"") == 0)
    let error = try tool.run("history", "--where", "author MATCHES \"[\"")
    #expect(error.code == 64 && error.errors.contains("author MATCHES"), "\(error.errors)")
  }

  @Test("CTX-404, CTX-495: names of readers may have any signs; unknown ones are refused")
  func namesOfReaders() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    let token = try token()
    #expect(try tool.run("history", "consumers", "--add", "a=b").code == 0)
    #expect(try tool.run("history", "consumers", "--set", "a=b=\(token)").output.contains("a=b"))
    for words in [["--set", "typo=\(token)"], ["--remove", "nobody"], ["--remove", ""]] {
      let outcome = try tool.runShell(
        "graphstore history consumers " + words.map { "'\($0)'" }.joined(separator: " "))
      #expect(outcome.code == 64 && outcome.errors.contains("no reader is registered"), "\(outcome.errors)")
    }
    #expect(try tool.run("history", "consumers", "-f", "csv").output.split(separator: "\n").count == 2)
  }

  @Test("CTX-439: an author of a statement that saves nothing is refused")
  func authorsWithinTransactions() throws {
    func shell(_ lines: String...) throws -> String {
      try tool.write(lines.joined(separator: "\n") + "\n", to: "lines")
      return try tool.runShell("graphstore shell < lines").errors
    }
    let refusal = "--author is for statements that are saved by themselves"
    #expect(try shell(".begin", "insert Department name=A --author me", ".commit").contains(refusal))
    #expect(try shell(".context new a --scratch", "insert Department name=A --author me").contains(refusal))
    #expect(
      try shell(
        ".begin", "insert Department name=B", ".commit", "insert Department name=C --author me"
      ).isEmpty)
    let rows = try tool.run("history", "-f", "csv", "-q", "--no-header").output.split(separator: "\n")
    #expect(rows.count == 2 && rows[0].contains(",graphstore,") && rows[1].contains(",me,"), "\(rows)")
  }

  @Test("CTX-439: an import is recorded with its author")
  func importing() throws {
    try tool.write("name\nNew\n", to: "new.csv")
    #expect(try tool.run("import", "Department", "new.csv", "--author", "loader").code == 0)
    #expect(try tool.run("history", "--author", "loader", "-f", "csv", "-q").output.contains(",insert,"))
  }

  @Test("CTX-441: what changes which history is kept is refused within a transaction, at once")
  func withinTransaction() throws {
    let start = ContinuousClock.now
    for line in ["history disable --yes", "history consumers --add m", "history purge --read-by-all --yes"] {
      try tool.write("insert Department name=New\n\(line)\n", to: "script.gs")
      let outcome = try tool.run("run", "script.gs", "--timeout", "300")
      #expect(outcome.code == 65 && outcome.errors.contains("within a transaction"), "\(outcome.errors)")
    }
    #expect(ContinuousClock.now - start < .seconds(120))
    #expect(try tool.run("history", "--ndjson").output.split(separator: "\n").count == 1)
  }

  @Test(
    "CTX-440, CTX-399: variables, unknown keys, empty names and tokens of another store state are refused")
  func misuse() throws {
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    let variable = try tool.run("history", "--where", "author == $WHO")
    #expect(variable.code == 64 && variable.errors.contains("$WHO"))
    let key = try tool.run("history", "--where", "transaction.autor == 'x'")
    #expect(key.code == 64 && key.errors.contains("author"))
    #expect(try tool.run("history", "consumers", "--add", "").code == 64)
    let later = try token().replacing(#/:1-.*/#, with: ":9")
    #expect(try tool.run("history", "purge", "--before", later, "--yes").code == 65)
    _ = try tool.run("history", "consumers", "--add", "mirror")
    #expect(try tool.run("history", "consumers", "--set", "mirror=\(later)").code == 65)
  }
}

/// `graphstore watch` through the built command.
struct WatchCommandTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  /// The lines of a watch, during which other commands run.
  private func watch(_ options: String, while commands: String...) throws -> [String] {
    let watch = InBackground(tool, "echo $$ > pid; exec graphstore watch \(options) > watched")
    _ = try watch.waitUntilWatching()
    for command in commands { _ = try tool.runShell(command) }
    let code = watch.outcome().code
    return try watch.waitForLines(1, in: "watched") + ["exit \(code)"]
  }

  @Test(
    "CTX-442, FET-257, DGN-227: what any process inserts, deletes, moves and updates is told as it is committed"
  )
  func events() throws {
    let lines = try watch(
      "Department --fields name --sort name --count 4 --for 30",
      while: "graphstore insert Department name=AAA", "graphstore update Department/p1 name=ZZZ",
      "graphstore insert Department name=ZZZZ")
    let events = lines.compactMap { line in
      line.split(separator: "\"").dropFirst(3).first.map(String.init)
    }
    #expect(lines.last == "exit 0", "\(lines)")
    #expect(events.prefix(4) == ["insert", "move", "update", "insert"], "\(lines)")
  }

  @Test("PAT-062, CTX-442: one object is followed by its id, until it is gone")
  func oneObject() throws {
    let lines = try watch(
      "Employee --where 'self == \"Employee/p2\"' --fields name --count 2 --for 30",
      while: "graphstore update Employee/p1 name=Other", "graphstore update Employee/p2 name=Own",
      "graphstore delete Employee/p2")
    let events = lines.filter { $0.contains("event") }
    #expect(events.count == 2 && lines.last == "exit 0", "\(lines)")
    #expect(events.first?.contains("\"update\"") == true && events.first?.contains("Own") == true)
    #expect(events.last?.contains("\"delete\"") == true && events.allSatisfy { $0.contains("Employee/p2") })
  }

  @Test(
    "CTX-442, CTX-411: waiting for commits is refused within a transaction, which keeps others from writing")
  func withinTransaction() throws {
    for line in ["watch Department --count 1", "history --follow"] {
      let outcome = try tool.run("run", "-c", line)
      #expect(outcome.code == 65 && outcome.errors.contains("--no-transaction"), "\(outcome.errors)")
    }
    let outcome = try tool.run("run", "--no-transaction", "-c", "watch Department --for 0.1")
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  @Test("CTX-442: a file that events are written to has all of them")
  func file() throws {
    let watch = InBackground(
      tool, "echo $$ > pid; exec graphstore watch Department --count 2 -o events --for 30")
    _ = try watch.waitUntilWatching()
    for name in ["A", "B"] { _ = try tool.run("insert", "Department", "name=\(name)") }
    #expect(watch.outcome().code == 0)
    #expect(
      try String(contentsOf: tool.folder.appendingPathComponent("events"), encoding: .utf8).split(
        separator: "\n"
      ).count == 2)
  }

  @Test("FET-257: what leaves a predicate is deleted from the list, and what enters is inserted")
  func predicates() throws {
    let lines = try watch(
      "Employee --where 'salary > 1000000' --fields name --count 2 --for 30",
      while: "graphstore update Employee/p3 salary:=2000000", "graphstore update Employee/p3 salary:=1")
    #expect(lines.count == 3 && lines[0].contains("insert") && lines[1].contains("delete"), "\(lines)")
  }

  @Test("FET-257: fetch --watch prints the result again where a commit changes it, and not otherwise")
  func watchedFetch() throws {
    let watch = InBackground(
      tool,
      "echo $$ > pid; exec graphstore fetch Department --fields name --sort name -f csv --no-header --watch > watched"
    )
    _ = try watch.waitUntilWatching()
    _ = try tool.run("update", "Employee/p3", "salary:=7")
    _ = try tool.run("insert", "Department", "name=AAA")
    let lines = try watch.waitForLines(5, in: "watched")
    _ = try tool.runShell("kill -INT $(cat pid)")
    #expect(lines == ["Engineering", "Sales", "AAA", "Engineering", "Sales"], "\(lines)")
    #expect(watch.outcome().code == 130)
    #expect(try tool.run("fetch", "Department", "--watch", "--stream").code == 64)
    #expect(try tool.run("fetch", "Department", "--every", "2").code == 64)
  }

  @Test("FET-257: a watch ends when its time is over, with exit 2 where it has seen too little")
  func ending() throws {
    #expect(try tool.run("watch", "Employee", "--for", "0.2").code == 0)
    #expect(try tool.run("watch", "Employee", "--count", "1", "--for", "0.2").code == 2)
    #expect(try tool.run("watch", "Employee", "-f", "csv").code == 64)
    #expect(try tool.run("watch", "Emploee").code == 64)
  }
}

/// A line of the system's shell that runs beside the test.
private final class InBackground: @unchecked Sendable {
  private let tool: CommandLineTool
  private let done = DispatchSemaphore(value: 0)
  private var result: CommandLineTool.Outcome?

  init(_ tool: CommandLineTool, _ line: String) {
    self.tool = tool
    Thread.detachNewThread { [self] in
      result = try? self.tool.runShell(line)
      done.signal()
    }
  }

  /// What it has come to, once it has ended.
  func outcome() -> CommandLineTool.Outcome {
    done.wait()
    done.signal()
    return result ?? CommandLineTool.Outcome(output: "", errors: "not run", code: -1)
  }

  /// The number of the process, which it has written into the file `pid`, once it watches a store.
  func waitUntilWatching() throws -> Int32 {
    let pid = try #require(try Int32(waitForLines(1, in: "pid").first ?? ""))
    let folder = "/proc/\(pid)/fd"
    for _ in 0..<600 {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let files = names.compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
      }
      if files.contains("anon_inode:inotify") { break }
      Thread.sleep(forTimeInterval: 0.05)
    }
    // It looks at the store right after it has begun to watch.
    Thread.sleep(forTimeInterval: 0.4)
    return pid
  }

  /// The lines of a file, once there are so many.
  func waitForLines(_ count: Int, in name: String) throws -> [String] {
    let file = tool.folder.appendingPathComponent(name)
    for _ in 0..<400 {
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      let lines = text.split(separator: "\n").map(String.init)
      if lines.count >= count, text.hasSuffix("\n") { return lines }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return []
  }
}
