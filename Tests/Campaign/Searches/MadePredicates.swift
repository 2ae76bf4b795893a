import Foundation

/// Makes predicates by the grammar and by changing others, and gives them to every command that takes one:
/// those that are taken mean the same in all of them.
struct MadePredicates: Search {
  let name = "predicates"
  let summary = "made predicates, sort keys and fields, in fetch, count, explain, filter and predicate"
  let share = 1.0

  func examine(_ trial: CampaignCase) throws {
    let sample = trial.setup.samples.kinds
    try Files.copyStore(sample.path, to: trial.path("k.db"))
    var grammar = PredicateGrammar(random: trial.random)
    let text: String
    if grammar.random.once(in: 5) {
      let bytes = Mutation.mutated(
        grammar.predicate(depth: 3), words: PredicateGrammar.words, with: &grammar.random)
      text = String(decoding: bytes.filter { $0 != 0 }, as: UTF8.self)
    } else {
      text = grammar.predicate(depth: 3)
    }
    let fields = grammar.fields()
    trial.random = grammar.random
    let store = ["-s", "k.db", "--var", "x=1", "--var", "name=thing 1"]
    let codes: Set<Int32> = [0, 64, 65]
    let count = try trial.run(["count", "Thing", "-w", text] + store)
    trial.expectContract(count, of: "count", codes: codes)
    let ids = try trial.run(["fetch", "Thing", "-w", text, "-f", "ids"] + store)
    trial.expectContract(ids, of: "fetch", codes: codes)
    if count.code == 0, ids.code == 0, Int(count.lines.first ?? "") != ids.lines.count {
      trial.violate("count and fetch differ", key: "", "\(count.outputText) and \(ids.lines.count)")
    }
    if (count.code == 0) != (ids.code == 0) {
      trial.violate(
        "count and fetch differ", key: "\(count.code) \(ids.code)", count.errorText + ids.errorText)
    }
    try explain(text, in: store, trial)
    try print(text, count: count, in: store, trial)
    let shown = try trial.run(
      [
        "fetch", "Thing", "--fields", fields, "--sort", grammar.sort(), "-f",
        trial.random.pick(["json", "table", "csv"]),
      ]
        + store)
    trial.expectContract(shown, of: "fetch --fields", codes: codes)
    let records = try trial.run(
      ["filter", text, "--count"] + (store.dropFirst(2)), input: Array(KindsModel.records.utf8))
    trial.expectContract(records, of: "filter", codes: codes)
  }

  private func explain(_ text: String, in store: [String], _ trial: CampaignCase) throws {
    let explain = try trial.run(["explain", "Thing", "-w", text, "--analyze"] + store)
    trial.expectContract(explain, of: "explain", codes: [0, 64, 65])
    let check = try trial.run(["predicate", "check", "Thing", text, "-m", trial.setup.samples.kinds.model])
    trial.expectContract(check, of: "predicate check", codes: [0, 2, 64, 65])
  }

  /// The plain form of a predicate is one itself, with the same answer.
  private func print(_ text: String, count: Ending, in store: [String], _ trial: CampaignCase) throws {
    let plain = try trial.run(["predicate", "print", text])
    trial.expectContract(plain, of: "predicate print", codes: [0, 64, 65])
    guard plain.code == 0 else { return }
    var line = plain.outputText
    if line.hasSuffix("\n") { line.removeLast() }
    let again = try trial.run(["predicate", "print", line])
    if again.output != plain.output {
      trial.violate(
        "plain form changes", key: "\(again.code)", "\(line) became \(again.outputText)\(again.errorText)")
    }
    let counted = try trial.run(["count", "Thing", "-w", line] + store)
    if counted.code != count.code || counted.output != count.output {
      trial.violate(
        "plain form means something else", key: "\(counted.code)", "\(line): \(counted.outputText)")
    }
  }
}

/// Sentences of the predicate language over the sample with an attribute of each type.
struct PredicateGrammar {
  var random: Generator

  static let words = [
    "AND", "OR", "NOT", "ANY", "ALL", "NONE", "IN", "BETWEEN", "LIKE", "MATCHES", "BEGINSWITH",
    "CONTAINS[cd]", "ENDSWITH",
    "==", "!=", "<>", "=<", "&&", "||", "!", "TRUEPREDICATE", "FALSEPREDICATE",
    "SUBQUERY(friends, $f, $f.i32 > 1)", "nil",
    "@count", "@sum", "SELF", "$x", "{1, 2}", "box.label", "friends.s", "CAST(t, \"NSNumber\")", "#d",
    "FUNCTION(1, \"x\")",
    "TERNARY(TRUEPREDICATE, 1, 2)", "**", "%@", "[FIRST]", "[SIZE]",
  ]

  mutating func predicate(depth: Int) -> String {
    switch depth == 0 ? 0 : random.below(9) {
    case 1: return "\(predicate(depth: depth - 1)) AND \(predicate(depth: depth - 1))"
    case 2: return "\(predicate(depth: depth - 1)) OR \(predicate(depth: depth - 1))"
    case 3: return "NOT (\(predicate(depth: depth - 1)))"
    case 4: return "(\(predicate(depth: depth - 1)))"
    case 5:
      return random.pick(["ANY", "ALL", "NONE", "SOME"])
        + " friends.i32 \(random.pick(["<", ">", "==", "!="])) \(number())"
    case 6:
      return
        "SUBQUERY(friends, $f, $f.i32 \(random.pick(["<", ">", "=="])) \(number())).@count > \(random.below(3))"
    default: return comparison()
    }
  }

  private mutating func comparison() -> String {
    let keys: [(String, String)] = [
      ("s", "text"), ("extra", "text"), ("box.label", "text"), ("i16", "i32"), ("i32", "i32"), ("i64", "i32"),
      ("dec", "i32"),
      ("d", "i32"), ("f", "i32"), ("b", "bool"), ("t", "date"), ("u", "other"), ("uri", "other"),
      ("twin.s", "text"),
      ("friends.@count", "i32"), ("twin.twinOf.i16", "i32"), ("friends.@max.i32", "i32"),
      ("box.things.@sum.i32", "i32"),
    ]
    let key = random.pick(keys)
    let same = keys.filter { $0.1 == key.1 }
    return comparison(of: key.0, type: key.1, with: random.once(in: 5) ? random.pick(same).0 : nil)
  }

  private mutating func comparison(of key: String, type: String, with other: String?) -> String {
    let compare = random.pick(["==", "!=", "<", "<=", ">", ">=", "=", "<>"])
    switch type {
    case "text":
      let option = random.pick(["", "", "[c]", "[cd]", "[d]", "[n]", "[l]"])
      switch random.below(6) {
      case 0:
        return
          "\(key) \(random.pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"]))\(option) \(other ?? text())"
      case 1: return "\(key) IN {\(text()), \(text())}"
      case 2: return "\(key) \(random.pick(["==", "!="])) nil"
      case 3: return "\(key) BETWEEN {\(text()), \(text())}"
      case 4: return "length:(\(key)) \(compare) \(random.below(12))"
      default: return "\(key) \(compare)\(option) \(other ?? text())"
      }
    case "other":
      let values =
        key == "u" ? ["'00000000-0000-0000-0000-000000000011'"] : ["'http://example.org/1'", "'x:y'"]
      return random.once(in: 2)
        ? "\(key) \(random.pick(["==", "!="])) nil" : "\(key) \(compare) \(random.pick(values))"
    case "bool":
      return "\(key) \(random.pick(["==", "!="])) \(random.pick(["YES", "NO", "1", "0", "nil", "TRUE"]))"
    case "date": return "\(key) \(compare) CAST(\(text()), \"NSDate\")"
    default:
      switch random.below(6) {
      case 0: return "\(key) IN {\(number()), \(number()), \(number())}"
      case 1: return "\(key) BETWEEN {\(number()), \(number())}"
      case 2: return "\(key) + \(number()) \(compare) \(other ?? number()) * 2"
      case 3:
        return
          "\(random.pick(["abs", "sqrt", "ceiling", "floor", "trunc", "ln"])):(\(key)) \(compare) \(number())"
      case 4: return "\(key) \(random.pick(["==", "!="])) nil"
      default: return "\(key) \(compare) \(other ?? number())"
      }
    }
  }

  private mutating func number() -> String {
    random.pick([
      "0", "1", "-1", "5", "1000", "5000", "0.5", "1.25", "-0.0", "1e3", "1e300", "9223372036854775807",
      "-9223372036854775808",
      "9223372036854775808", "123456789012345678901234567890", "0x1F", "$x", "2147483648", "1e-300", "18.5",
    ])
  }

  private mutating func text() -> String {
    random.pick([
      "\"thing 1\"", "'Thing'", "\"\"", "'é'", "\"*1*\"", "'thing ?'", "\".*1.*\"", "\"box 2\"", "'a\\'b'",
      "$name", "\"%\"", "'_'",
      "\"http://example.org/1\"", "\"2015-03-04T05:06:07Z\"", "'[a-z]+ [0-9]{1,2}'", "\"\\u00e9\"", "\"[\"",
    ])
  }

  mutating func fields() -> String {
    (0...random.below(3)).map { _ in
      random.pick([
        "s", "i16", "i64", "dec", "box.label", "friends.@count", "friends.s", "twin.s", "box.things.i32",
        "objectID", "t", "bin",
        "friends.@sum.i32", "box.things.@avg.dec", "nosuch", "SELF", "", "i32 + 1", "friends.@max.t",
        "length:(s) as n",
      ])
    }.joined(separator: ",")
  }

  mutating func sort() -> String {
    (0...random.below(2)).map { _ in
      random.pick(["", "-"])
        + random.pick(["s", "i16", "box.label", "t", "dec", "friends.@count", "nosuch", "bin", "s:desc", "b"])
    }.joined(separator: ",")
  }
}
