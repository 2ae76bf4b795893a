import GraphStoreSQLite
import Testing

@Suite struct SQLiteFunctionTests {
  let connection: SQLiteConnection

  init() throws {
    connection = try SQLiteConnection.inMemory()
  }

  @Test("A function sees its arguments' types and bytes without strings being made")
  func arguments() throws {
    try connection.register(function: "kind", argumentCount: -1) { arguments, result in
      var text = ""
      for index in 0..<arguments.count {
        switch arguments.type(at: index) {
        case .integer: text += "i\(arguments.int64(at: index))"
        case .real: text += "r\(arguments.double(at: index))"
        case .text: text += "t\(arguments.text(at: index).count)"
        case .blob: text += "b\(arguments.blob(at: index).count)"
        case .null: text += "n"
        }
      }
      #expect(arguments.isNull(at: arguments.count))
      #expect(arguments.text(at: -1).isEmpty)
      result.set(text)
    }
    #expect(
      try connection.string("SELECT kind(1, 2.5, 'añ' || char(0) || 'x', x'', x'0102', NULL, '')")
        == "i1r2.5t5b0b2nt0")
  }

  @Test("A function can give every type, and nothing is NULL")
  func results() throws {
    try connection.register(function: "give", argumentCount: 1) { arguments, result in
      switch arguments.int64(at: 0) {
      case 0: result.set(Int64.min)
      case 1: result.set(0.5)
      case 2: result.set("a\u{0}é")
      case 3: [UInt8](arrayLiteral: 1, 2).withUnsafeBytes { result.set(blob: $0) }
      case 4: result.set(true)
      case 5: result.setNull()
      case 6: result.set("")
      default: break
      }
    }
    #expect(try connection.int64("SELECT give(0)") == .min)
    #expect(try connection.string("SELECT give(1)") == "0.5")
    #expect(try connection.string("SELECT give(2)") == "a\u{0}é")
    #expect(try connection.string("SELECT hex(give(3))") == "0102")
    #expect(try connection.int64("SELECT give(4)") == 1)
    #expect(try connection.int64("SELECT give(5) IS NULL AND give(9) IS NULL") == 1)
    #expect(try connection.string("SELECT typeof(give(6))") == "text")
  }

  @Test("A function's error is the statement's error")
  func errors() throws {
    try connection.register(function: "refuse", argumentCount: 0) { _, result in result.setError("not today")
    }
    #expect { try connection.int64("SELECT refuse()") } throws: {
      ($0 as? SQLiteError)?.message == "not today"
    }
  }

  @Test("What is made of a constant argument is made once a run")
  func cached() throws {
    final class Pattern {}
    var made = 0
    try connection.register(function: "match", argumentCount: 2) { arguments, result in
      _ = arguments.cached(at: 1) { () -> Pattern in
        made += 1
        return Pattern()
      }
      result.set(true)
    }
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
    #expect(try connection.int64("SELECT sum(match(a, 'x')) FROM t") == 3)
    #expect(made == 1)
  }

  @Test("A function may be used in an index, being deterministic and harmless")
  func inIndex() throws {
    try connection.register(function: "twice", argumentCount: 1) { arguments, result in
      result.set(arguments.int64(at: 0) * 2)
    }
    try connection.execute("CREATE TABLE t (a); CREATE INDEX i ON t (twice(a)); INSERT INTO t VALUES (3)")
    #expect(try connection.int64("SELECT a FROM t WHERE twice(a) = 6") == 3)
  }

  @Test("An aggregate has one state a group, and a state without rows too")
  func aggregate() throws {
    final class Longest: SQLiteAggregate {
      var length = 0
      func step(_ arguments: SQLiteFunctionArguments, _ result: SQLiteFunctionResult) {
        if arguments.type(at: 0) == .integer { result.setError("text only") }
        length = max(length, arguments.text(at: 0).count)
      }
      func finish(_ result: SQLiteFunctionResult) { result.set(Int64(length)) }
    }
    try connection.register(aggregate: "longest", argumentCount: 1) { Longest() }
    try connection.execute("CREATE TABLE t (g, a); INSERT INTO t VALUES (1, 'a'), (1, 'abc'), (2, 'ab')")
    #expect(
      try connection.string(
        "SELECT group_concat(l) FROM (SELECT longest(a) AS l FROM t GROUP BY g ORDER BY g)") == "3,2")
    #expect(try connection.int64("SELECT longest(a) FROM t WHERE g = 9") == 0)
    #expect { try connection.int64("SELECT longest(g) FROM t") } throws: {
      ($0 as? SQLiteError)?.message == "text only"
    }
  }

  @Test(
    "Names in quotes are safe whatever they hold", arguments: ["a", "select", "a\"b", "é \u{1F600}", "a;--"])
  func quoting(name: String) throws {
    let quoted = SQLiteName.quoted(name)
    try connection.execute("CREATE TABLE \(quoted) (\(quoted) INTEGER)")
    try connection.execute("INSERT INTO \(quoted) (\(quoted)) VALUES (7)")
    #expect(try connection.int64("SELECT \(quoted) FROM \(quoted)") == 7)
  }
}
