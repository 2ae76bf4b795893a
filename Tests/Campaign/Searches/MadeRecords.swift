import Foundation

/// Makes records in every format, broken and whole, and imports them: what is taken comes out again equal.
struct MadeRecords: Search {
  let name = "records"
  let summary = "made NDJSON, JSON, CSV and TSV for import, insert and filter; what goes in comes out equal"
  let share = 1.5

  func examine(_ trial: CampaignCase) throws {
    let sample = trial.setup.samples.kinds
    try Files.copyStore(sample.path, to: trial.path("k.db"))
    let before = try trial.run(["export", "--all", "-f", "ndjson", "-s", "k.db"])
    let format = trial.random.pick(["ndjson", "json", "csv", "tsv"])
    let isAll = format.hasSuffix("json") && trial.random.once(in: 2)
    var text = records(format: format, isAll: isAll, &trial.random)
    if trial.random.once(in: 4) { Mutation.mutate(&text, words: Self.words, with: &trial.random) }
    try Files.write(text, to: trial.path("made.\(format)"))
    let target = isAll ? ["--all"] : ["Thing"]
    let arguments =
      ["import"] + target + ["made.\(format)", "-s", "k.db"] + options(isAll: isAll, &trial.random)
    let ending = try trial.run(arguments)
    trial.expectContract(ending, of: "import \(format)", codes: [0, 3, 5, 64, 65, 66])
    let after = try trial.run(["export", "--all", "-f", "ndjson", "-s", "k.db"])
    trial.expectContract(after, of: "export", codes: [0])
    let takesParts = arguments.contains("batch") || arguments.contains("line")
    if ![0, 5].contains(ending.code) || arguments.contains("-n"), !takesParts, after.output != before.output {
      trial.violate("a failed import changed the store", key: "\(format) \(ending.code)", ending.errorText)
    }
    let check = try trial.run(["check", "-s", "k.db"])
    if check.code != 0 {
      trial.violate("check", key: "after import \(format)", check.outputText + check.errorText)
    }
    if ending.code == 0 || ending.code == 5 { try readBack(after, format: format, trial) }
    let single = try trial.run(["insert", "Thing", "-", "-s", "k.db"], input: text)
    trial.expectContract(single, of: "insert -", codes: [0, 3, 64, 65, 66])
    let filtered = try trial.run(
      ["filter", trial.random.pick(["s != nil", "i32 > 5", "box.label == 'x'", "SELF == 5"])], input: text)
    trial.expectContract(filtered, of: "filter", codes: [0, 65])
    expectNoFiles(trial)
  }

  /// What the store exports goes into a new store and comes out equal.
  private func readBack(_ export: Ending, format: String, _ trial: CampaignCase) throws {
    try Files.write(export.output, to: trial.path("export.ndjson"))
    let model = trial.setup.samples.kinds.model
    _ = try trial.run(["init", "again.db", "--model", model])
    let read = try trial.run(["import", "--all", "export.ndjson", "--keep-ids", "-s", "again.db"])
    if read.code != 0 {
      trial.violate("an export is not read back", key: "\(read.code)", read.errorText)
      return
    }
    let again = try trial.run(["export", "--all", "-f", "ndjson", "-s", "again.db"])
    if again.output != export.output {
      let old = Set(export.lines)
      let changed = again.lines.filter { !old.contains($0) }
      trial.violate("an export comes back different", key: format, changed.prefix(2).joined(separator: "\n"))
    }
    let csv = try trial.run([
      "export", "Thing", "--no-subentities", "-f", trial.random.pick(["csv", "tsv", "json"]), "-s", "k.db",
    ])
    trial.expectContract(csv, of: "export Thing", codes: [0, 64])
  }

  private func expectNoFiles(_ trial: CampaignCase) {
    let allowed = [
      "k.db", "k.db-wal", "k.db-shm", "again.db", "again.db-wal", "again.db-shm", "export.ndjson", "tmp",
      "rejects.nd",
    ]
    let left =
      Files.names(in: trial.folder).filter { !allowed.contains($0) && !$0.hasPrefix("made.") }
      + Files.names(in: trial.path("tmp"))
    if !left.isEmpty { trial.violate("files left behind", key: "import", left.joined(separator: ", ")) }
  }

  private func options(isAll: Bool, _ random: inout Generator) -> [String] {
    var options: [String] = []
    if random.once(in: 2) { options += ["--on-error", "skip"] }
    if options.contains("skip"), random.once(in: 2) { options += ["--rejects", "rejects.nd", "-y"] }
    if random.once(in: 4), !isAll {
      options += ["--key", random.pick(["s", "i16", "s,i16", "u", "nosuch", "box"])]
      options += ["--on-conflict", random.pick(["error", "ignore", "update", "replace"])]
    }
    if random.once(in: 5) {
      options += ["--link", random.pick(["box=label", "twin=s", "friends=s", "box=nosuch", "s=s"])]
    }
    if random.once(in: 6) { options += ["--commit", random.pick(["all", "batch", "line"])] }
    if random.once(in: 6) { options += ["--batch-size", random.pick(["1", "2", "1000", "0", "-1"])] }
    if random.once(in: 6) { options += ["--stop-after", random.pick(["0", "1", "3"])] }
    if random.once(in: 8) { options += ["-n"] }
    if random.once(in: 8) {
      options += ["--map", random.pick(["s=extra", "x=s", "s=box.label", "nosuch=nosuch"])]
    }
    if random.once(in: 8) { options += ["--keep-ids"] }
    if random.once(in: 8) { options += ["--once", "name"] }
    return options
  }

  private static let words = [
    "\"entity\":", "\"id\":", "Thing/p1", "Thing/x1", "null", "true", "\"box\":", "{\"$date\":", ",", "\n",
    "\\N", "\"\"", "[]", "{}",
    "Special", "Base", "Nosuch", "\t", "\"friends\":[\"Thing/p1\"]", "1e5", "\"twin\":",
  ]

  // MARK: Made records

  private static let keys = [
    "s", "i16", "i32", "i64", "dec", "d", "f", "b", "t", "u", "uri", "bin", "box", "twin", "friends", "id",
    "extra",
  ]

  private func records(format: String, isAll: Bool, _ random: inout Generator) -> [UInt8] {
    let keys = Self.keys.filter { _ in !random.once(in: 3) } + (random.once(in: 10) ? ["nosuch"] : [])
    let count = random.below(6)
    if format == "csv" || format == "tsv" {
      let separator = format == "csv" ? "," : "\t"
      let rows = (0..<count).map { _ in
        keys.map { cell($0, isCSV: format == "csv", &random) }.joined(separator: separator)
      }
      return Array(
        ([keys.joined(separator: separator)] + rows).joined(separator: random.once(in: 5) ? "\r\n" : "\n")
          .utf8)
    }
    let lines = (0..<count).map { _ in
      var members = keys.filter { _ in !random.once(in: 3) }.map { "\"\($0)\":\(json($0, &random))" }
      if isAll || random.once(in: 8) {
        members.insert(
          "\"entity\":\"\(random.pick(["Thing", "Thing", "Thing", "Thing", "Thing", "Special", "Special", "Base", "Nosuch", "Box"]))\"",
          at: 0)
      }
      return "{" + members.joined(separator: ",") + "}"
    }
    return Array(
      (format == "json" ? "[" + lines.joined(separator: ",") + "]" : lines.joined(separator: "\n")).utf8)
  }

  private func cell(_ key: String, isCSV: Bool, _ random: inout Generator) -> String {
    if random.once(in: 6) { return isCSV ? random.pick(["", "\"\""]) : "\\N" }
    var text = plain(key, &random)
    if isCSV, text.contains(where: { ",\"\n\r".contains($0) }) || random.once(in: 6) {
      text = "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    } else if !isCSV {
      text = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\t", with: "\\t")
        .replacingOccurrences(of: "\n", with: "\\n")
    }
    return text
  }

  private func json(_ key: String, _ random: inout Generator) -> String {
    if random.once(in: 7) { return "null" }
    if random.once(in: 25) {
      return random.pick(["[]", "{}", "true", "5", "\"x\"", "[1]", "1.5", "-1", "\"\\ud800\""])
    }
    let text = plain(key, &random)
    switch key {
    case "i16", "i32", "i64", "d", "f": return Double(text) == nil ? "\"\(text)\"" : text
    case "b": return random.pick(["true", "false", "1", "\"YES\""])
    case "friends": return "[" + text.split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",") + "]"
    case "t": return random.once(in: 6) ? random.pick(["0", "1e10", "1099511627776"]) : "\"\(text)\""
    default:
      let data = try? JSONSerialization.data(withJSONObject: text, options: .fragmentsAllowed)
      return data.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
  }

  /// A value that the attribute takes, or seldom one that it may not.
  private func plain(_ key: String, _ random: inout Generator) -> String {
    guard let values = Self.values[key] ?? Self.values["s"] else { return "" }
    return random.pick(random.once(in: 40) ? values.doubtful : values.good)
  }

  private static let values: [String: (good: [String], doubtful: [String])] = [
    "i16": (["0", "1", "-1", "32767", "-32768", "7", "12", "100"], ["32768", "7.5", "", "1e2", " 5"]),
    "i32": (["0", "5", "2147483647", "-2147483648"], ["2147483648", "1.0", "x"]),
    "i64": (
      ["0", "9223372036854775807", "-9223372036854775808", "9007199254740993"],
      ["9223372036854775808", "1e18"]
    ),
    "dec": (
      [
        "0", "1.10", "-0.5", "1e39", "123456789012345678901234567890.12345678", "1e-127", "0.1",
        "12345678901234567890",
        "99999999999999999999999999999999999999", "-0",
      ], ["1e127", "1e128", "1e-128", "170141183460469231731687303715884105728", "NaN", "1,5"]
    ),
    "d": (
      ["0", "-0.0", "0.1", "1e308", "1e-300", "52.370215700000001234", "1e17", "123456789.123456789"],
      ["1e309", "NaN", "5e-324", "inf"]
    ),
    "f": (["0", "0.1", "3.4e38", "16777217"], ["3.5e38", "1e-45", "1e-50", "1e39"]),
    "b": (["true", "false"], ["1", "0", "YES", "no", "2", ""]),
    "t": (
      [
        "2024-01-01T00:00:00Z", "2024-02-29", "1900-01-01T00:00:00.123456Z", "0001-01-01T00:00:00Z",
        "1969-12-31T23:59:59.5+05:30", "9999-12-31T23:59:59Z",
      ],
      [
        "2023-02-29", "9999-12-31T23:59:59.999999Z", "2024-01-01T24:00:00Z", "2024-06-30T23:59:60Z",
        "+36843-02-20T00:36:16Z", "-0044-03-15", "1.5", "0000-01-01",
      ]
    ),
    "u": (
      ["00000000-0000-0000-0000-000000000001", "123E4567-e89b-12d3-a456-426614174000"], ["x", "0", ""]
    ),
    "uri": (["http://a/b", "x:y", "file:///", "http://a/%20?q#f"], ["not a uri", "http://é/", "%zz", ""]),
    "bin": (["", "AQID", "AQIDBA==", "AA=="], ["!!", "AQIDBA"]),
    "box": (
      ["Box/p1", "Box/p4", "Box/p2"], ["Box/p99", "Tag/p1", "Box/t1", "box 1", "Box/p0", "Box/p-1", ""]
    ),
    "twin": (
      ["Thing/p1", "Thing/p3", "a", "b"],
      ["Loose/p1", "Special/p5", "Thing/p9223372036854775807", "Thing/p9223372036854775808", "nosuch"]
    ),
    "friends": (
      ["Thing/p1", "Thing/p1 Thing/p2", "a", "a b", "", "Loose/p21"],
      ["Loose/p99 a", "Thing/p1 Thing/p1", "Nosuch/p1", "Box/p1"]
    ),
    "id": (["a", "b", "c", "Thing/x1", "Thing/p500"], ["Thing/p1", "5", "", "Thing/p0"]),
    "s": (
      [
        "a", "", "thing 1", "é", "a,b", "a\"b", "a\nb", "a\tb", "\\N", " padded ", "=1+1", "\u{1B}[31m",
        "\u{FEFF}x", "💥",
        "e\u{301}", "\r", "a\\nb", "null", "∅", "a\r\nb", "'", "\\", "#",
      ], ["nul\u{0}x", "\u{FFFF}"]
    ),
  ]
}
