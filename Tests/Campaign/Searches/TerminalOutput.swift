import Foundation

/// Puts control characters wherever a store, a model or a user can put text, and looks at what arrives at a
/// terminal.
struct TerminalOutput: Search {
  let name = "terminal"
  let summary =
    "control characters in names, values, files and arguments, and what of them reaches a terminal"
  let share = 1.5

  private static let evil = [
    "\u{1B}]0;title\u{7}", "\u{1B}]52;c;cHduZWQ=\u{1B}\\", "\u{1B}[2J\u{1B}[H", "\u{1B}[31mred", "\u{9B}31m",
    "\u{9D}0;t\u{9C}",
    "\u{7F}\u{7F}", "\u{8}\u{8}back", "a\rb", "a\nb", "\u{B}\u{C}", "\u{202E}txt.exe", "\u{2066}x\u{2069}",
    "\u{85}", "\u{2028}", "\u{7}", "\u{E}\u{F}", "\u{1}", "\u{90}q\u{9C}",
  ]

  func examine(_ trial: CampaignCase) throws {
    var random = trial.random
    func evil() -> String { "e" + random.pick(Self.evil) + random.pick(["", "x", random.pick(Self.evil)]) }
    let model: [String: Any] = [
      "name": evil(), "version": evil(), "userInfo": ["a": evil(), evil(): "b"],
      "entities": [
        [
          "name": "Note", "renamingIdentifier": evil(), "versionHashModifier": evil(),
          "userInfo": [evil(): evil()],
          "attributes": [
            [
              "name": "text", "type": "string", "userInfo": ["k": evil()], "renamingIdentifier": evil(),
              "default": evil(),
            ],
            ["name": "uri", "type": "uri"], ["name": "n", "type": "int32", "versionHashModifier": evil()],
            ["name": "state", "type": "string", "pattern": "[^q]*" + evil() + "?.*"],
            [
              "name": "rule", "type": "string",
              "validation": [["predicate": "SELF != \"\(evil())\"", "message": evil()]],
            ],
          ],
          "relationships": [
            ["name": "next", "destination": "Note", "inverse": "previous"],
            ["name": "previous", "destination": "Note", "inverse": "next"],
          ],
        ]
      ],
      "fetchRequests": [["name": "template", "entity": "Note", "predicate": "text != \"q\""]],
    ]
    let data = try JSONSerialization.data(withJSONObject: model, options: [.sortedKeys])
    let storeName = "s" + evil().filter { $0 != "/" } + ".db"
    try Files.write([UInt8](data), to: trial.path("model.json"))
    var made = try trial.run(["init", storeName, "--model", "model.json"])
    if made.code != 0 {
      // Not all of it may stand in a model: what is left is enough.
      try Files.write(Self.plainModel, to: trial.path("model.json"))
      made = try trial.run(["init", storeName, "--model", "model.json"])
    }
    guard made.code == 0 else { throw CampaignError(message: "init: \(made.errorText)") }
    let records = (0..<3).map { _ in ["entity": "Note", "text": evil(), "state": evil()] }
    let lines = try records.map { try JSONSerialization.data(withJSONObject: $0) + Data("\n".utf8) }
    _ = try trial.run(
      ["import", "--all", "-", "--from", "ndjson", "-s", storeName, "--on-error", "skip"],
      input: [UInt8](lines.joined()))
    _ = try trial.run(["metadata", "set", "key=" + evil(), "-s", storeName])
    try changeByHand(storeName, evil: evil(), trial)
    trial.random = random
    for arguments in try commands(storeName, trial) { try check(arguments, trial) }
    try checkShell(storeName, trial)
  }

  private static let plainModel = """
    {"name": "Plain", "entities": [{"name": "Note", "attributes": [
      {"name": "text", "type": "string"}, {"name": "uri", "type": "uri"}, {"name": "n", "type": "int32"},
      {"name": "state", "type": "string"}, {"name": "rule", "type": "string"}]}]}
    """

  /// Text in places where no command puts it.
  private func changeByHand(_ store: String, evil: String, _ trial: CampaignCase) throws {
    guard trial.random.once(in: 2) else { return }
    let reader = try SecondReader(trial.path(store))
    let bytes = Array(evil.utf8)
    switch trial.random.below(4) {
    case 0: _ = try reader.rows("UPDATE Z_PRIMARYKEY SET Z_NAME = ?", [.text(bytes)])
    case 1: _ = try reader.rows("UPDATE ZNOTE SET ZURI = ?, ZN = ?", [.text(bytes), .text(bytes)])
    case 2: _ = try reader.rows("UPDATE Z_METADATA SET Z_UUID = ?", [.text(bytes)])
    default: try reader.run("CREATE TABLE \"Z\(evil.replacingOccurrences(of: "\"", with: ""))\" (a)")
    }
  }

  private func commands(_ store: String, _ trial: CampaignCase) throws -> [[String]] {
    let evil = "e" + trial.random.pick(Self.evil)
    try Files.write(evil + "," + evil + "\n1,2\n", to: trial.path("bad.csv"))
    try Files.write("{\"text\": \"\(evil)\", \"\(evil)\": 1}\n", to: trial.path("bad.ndjson"))
    try Files.write("{\"a\": {\"\(evil)\": \"\(evil)\"}}\n", to: trial.path("records.ndjson"))
    try Files.write("insert Note text='\(evil)' n=\(evil)\n", to: trial.path("bad.gs"))
    let format = trial.random.pick(["table", "json", "ndjson", "csv", "tsv", "markdown", "line", "ids"])
    let error = ["--error-format", trial.random.pick(["text", "json"])]
    let all: [[String]] = [
      ["fetch", "Note", "-f", format], ["fetch", "Note", "-f", format], ["fetch", "Note", "-f", format],
      ["fetch", "Note", "--fields", "text,state", "-f", format], ["get", "Note/p1"],
      ["get", "Note/p1", "-f", format],
      ["export", "Note", "-f", trial.random.pick(["ndjson", "json", "csv", "tsv", "markdown"])],
      ["count", "Note", "-w", evil] + error, ["fetch", evil] + error,
      ["fetch", "Note", "--fields", evil] + error,
      ["fetch", "Note", "--sort", evil] + error, ["insert", "Note", "n=\(evil)"] + error,
      ["insert", "Note", "\(evil)=1"] + error, ["insert", "Note", "rule=\(evil)"] + error,
      ["get", "Note/p\(evil)"] + error,
      ["update", "Note", "--all", "-y", "uri=\(evil)"] + error, ["delete", evil] + error, [evil] + error,
      ["explain", "Note", "-w", "text == \"\(evil)\"", "--analyze"], ["check"], ["check", "--json"], ["info"],
      ["info", "--json"], ["metadata", "list", "--all"], ["metadata", "get", "key"],
      ["metadata", "get", evil] + error,
      ["model", "show", "-s", store], ["model", "show", "model.json"], ["model", "from-store", "-s", store],
      ["model", "lint", "model.json"], ["model", "validate", "model.json"],
      ["model", "diagram", "model.json", "--as", trial.random.pick(["mermaid", "dot", "svg", "ascii"])],
      ["model", "hashes", "model.json"], ["model", "codegen", "model.json"],
      ["model", "validate", evil] + error,
      ["model", "diff", "model.json", trial.setup.companyModel], ["import", "Note", "bad.csv"] + error,
      ["import", "Note", "bad.ndjson"] + error, ["import", "Note", evil] + error, ["run", "bad.gs"] + error,
      ["run", "--echo", "bad.gs"] + error, ["predicate", "print", "text == \"\(evil)\""],
      ["predicate", "print", "--tree", "text == \"\(evil)\""], ["predicate", "check", "Note", evil] + error,
      ["filter", "a != nil", "records.ndjson"], ["filter", "\(evil) != nil", "records.ndjson"] + error,
      ["fetch", "Note", "--time-zone", evil] + error, ["fetch", "Note", "-s", evil] + error,
      ["init", evil + "/x", "--model", "model.json"] + error, ["fetch", "Note", "--template", evil] + error,
      ["count", "Note", "-w", "text == $x", "--var", "\(evil)=1"] + error,
    ]
    let storeless: Set<String> = ["model", "predicate", "filter", "init"]
    return (0..<8).map { _ in
      let arguments = trial.random.pick(all)
      return arguments + (storeless.contains(arguments[0]) || arguments.contains("-s") ? [] : ["-s", store])
    }
  }

  private func check(_ arguments: [String], _ trial: CampaignCase) throws {
    let run = trial.command(arguments + ["--color", trial.random.pick(["always", "never"])])
    let ending = trial.recorded(try run.runAtTerminal())
    let isPlain = arguments[0].utf8.allSatisfy { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
    let hasTwoWords = ["model", "predicate", "metadata"].contains(arguments[0])
    let subject = isPlain ? arguments.prefix(hasTwoWords ? 2 : 1).joined(separator: " ") : "unknown command"
    trial.expectContract(ending, of: subject)
    if let found = Self.firstControl(in: Self.withoutColours(ending.output)) {
      trial.violate("control character at a terminal", key: "\(subject) \(found)", ending.outputText)
    }
  }

  /// The shell writes sequences of its own to edit a line; those that were put in must not be among them.
  private func checkShell(_ store: String, _ trial: CampaignCase) throws {
    let lines = "fetch Note\n.status\n.entities\n.schema Note\nget Note/p1\nfetch Nosuch\n.quit\n"
    let run = trial.command(
      ["shell", "-X", "--history", "", "--color", "never", "-s", store], input: Array(lines.utf8),
      environment: ["TERM": "dumb"])
    let ending = trial.recorded(try run.runAtTerminal())
    trial.expectContract(ending, of: "shell")
    let text = String(decoding: ending.output, as: UTF8.self)
    for mark in [
      "\u{1B}]", "\u{1B}[31m", "\u{1B}[2J", "\u{9B}", "\u{9D}", "\u{202E}", "\u{2066}", "\u{90}", "\u{85}",
    ]
    where text.unicodeScalars.contains(mark.unicodeScalars) {
      trial.violate("control character at a terminal", key: "shell \(mark)", text)
    }
  }

  /// The bytes without the sequences that set colours, as the command itself writes them.
  private static func withoutColours(_ bytes: [UInt8]) -> [UInt8] {
    var rest: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x1B, index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "[") {
        var end = index + 2
        while end < bytes.count,
          bytes[end] == UInt8(ascii: ";") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[end]
        {
          end += 1
        }
        // The red that was put in is none of the command's.
        let isPutIn = Array(bytes[index...].prefix(8)) == Array("\u{1B}[31mred".utf8)
        if end < bytes.count, bytes[end] == UInt8(ascii: "m"), !isPutIn {
          index = end + 1
          continue
        }
      }
      rest.append(bytes[index])
      index += 1
    }
    return rest
  }

  private static func firstControl(in bytes: [UInt8]) -> String? {
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0x9, 0xA, 0xD: continue
      case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069:
        return "U+" + String(scalar.value, radix: 16, uppercase: true)
      default: continue
      }
    }
    return nil
  }
}
