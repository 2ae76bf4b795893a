import Foundation

/// Makes models, broken and whole, and gives them to the commands for models: one that is called valid makes
/// a store, and what is written of a model is the model again.
struct MadeModels: Search {
  let name = "models"
  let summary = "made and broken model files for every model command and init"
  let share = 1.0

  func examine(_ trial: CampaignCase) throws {
    let text: [UInt8]
    let isBroken = trial.random.once(in: 2)
    let model = try made(&trial.random)
    if isBroken {
      let sources = [
        model, KindsModel.text, String(decoding: Files.read(trial.setup.companyModel) ?? [], as: UTF8.self),
      ]
      text = Mutation.mutated(trial.random.pick(sources), words: Self.words, with: &trial.random)
    } else {
      text = Array(model.utf8)
    }
    try Files.write(text, to: trial.path("m.json"))
    let validate = try trial.run(["model", "validate", "m.json"])
    trial.expectContract(validate, of: "model validate", codes: [0, 2, 64, 65, 66])
    let commands: [[String]] = [
      ["model", "lint", "m.json"], ["model", "show", "m.json"], ["model", "show", "m.json", "--tree"],
      ["model", "diagram", "m.json", "--as", trial.random.pick(["mermaid", "dot", "svg", "ascii"])],
      ["model", "diff", "m.json", trial.setup.companyModel], ["model", "hashes", "m.json", "--all"],
      ["model", "merge", "m.json", trial.setup.companyModel, "merged.json"],
      ["model", "codegen", "m.json", "-o", "code"],
      ["model", "codegen", "m.json", "-o", "code", "--dry-run"],
    ]
    for _ in 0..<3 {
      let arguments = trial.random.pick(commands)
      let ending = try trial.run(arguments)
      trial.expectContract(
        ending, of: arguments.prefix(2).joined(separator: " "), codes: [0, 2, 4, 64, 65, 73, 78])
    }
    try makeStore(isValid: validate.code == 0, trial)
    if validate.code == 0 { try convert(trial) }
    try expectOnlyThere(trial)
  }

  private func makeStore(isValid: Bool, _ trial: CampaignCase) throws {
    let made = try trial.run(["init", "m.db", "--model", "m.json"])
    trial.expectContract(made, of: "init", codes: [0, 64, 65, 78])
    if isValid, made.code != 0, !made.errorText.contains("not-supported") {
      trial.violate("valid, and no store can be made", key: "\(made.code)", made.errorText)
    }
    guard made.code == 0 else {
      if Files.exists(trial.path("m.db")) {
        trial.violate("a failed init left a file", key: "\(made.code)", made.errorText)
      }
      return
    }
    let check = try trial.run(["check", "-s", "m.db"])
    if check.code != 0 { trial.violate("check", key: "of a new store", check.outputText + check.errorText) }
    for arguments in [["info"], ["export", "--all", "-f", "ndjson"], ["model", "lint"], ["model", "show"]] {
      let ending = try trial.run(arguments + ["-s", "m.db"])
      trial.expectContract(ending, of: arguments.prefix(2).joined(separator: " "), codes: [0, 2])
    }
    let from = try trial.run(["model", "from-store", "-s", "m.db"])
    try Files.write(from.output, to: trial.path("from.json"))
    let diff = try trial.run(["model", "diff", "m.json", "from.json", "--exit-code"])
    if diff.code != 0 {
      trial.violate("the model changes in a store", key: "\(diff.code)", diff.outputText + diff.errorText)
    }
  }

  /// Through Xcode's form and back the model is the same, but for what that form has no words for, which is
  /// said.
  private func convert(_ trial: CampaignCase) throws {
    let form = trial.random.pick([
      "m.xcdatamodel", "m.xcdatamodeld", "m.graphmodel", "copy.json", "m.mom", "m.momd",
    ])
    let there = try trial.run(["model", "convert", "m.json", form])
    trial.expectContract(there, of: "model convert", codes: [0, 64, 65])
    guard there.code == 0 else { return }
    let back = try trial.run(["model", "convert", form, "back.json"])
    trial.expectContract(back, of: "model convert back", codes: [0])
    guard back.code == 0, there.errors.isEmpty, back.errors.isEmpty else { return }
    let diff = try trial.run(["model", "diff", "m.json", "back.json", "--exit-code"])
    if diff.code != 0 {
      trial.violate("the model changes in conversion", key: form, diff.outputText + diff.errorText)
    }
  }

  private func expectOnlyThere(_ trial: CampaignCase) throws {
    let home = Files.listing(of: trial.aside("home"))
    let beside = Files.names(in: trial.evidence).filter { !["work", "home"].contains($0) }
    if !home.isEmpty || !beside.isEmpty {
      trial.violate("files elsewhere", key: "model", "\(home.keys) \(beside)")
    }
  }

  private static let words = [
    "\"name\":", "\"entities\":", "\"attributes\":", "\"type\":\"transformable\"", "\"parent\":\"Box\"",
    "\"inverse\":", "\"toMany\":true",
    "\"deleteRule\":\"deny\"", "\"optional\":false", "\"default\":", "\"min\":", "\"max\":",
    "\"pattern\":\"(\"", "null", "[]", "{}", "true",
    "\"derivation\":\"things.@count\"", "\"abstract\":true", "\"type\":\"composite\"",
    "\"uniquenessConstraints\":[[]]", "-1", "\"Z_PK\"",
  ]

  /// A model by the grammar, valid but for careless ones.
  private func made(_ random: inout Generator) throws -> String {
    let isCareless = random.once(in: 6)
    let count = 1 + random.below(4)
    let strange = [
      "Z", "_x", "É", "select", "Entity", "a" + String(repeating: "b", count: 100), "Z_METADATA",
    ]
    let names = (0..<count).map { random.once(in: 12) ? random.pick(strange) + "\($0)" : "E\($0)" }
    var entities: [[String: Any]] = []
    for (index, name) in names.enumerated() {
      var entity: [String: Any] = ["name": name]
      if index > 0, random.once(in: 3) { entity["parent"] = names[random.below(index)] }
      if random.once(in: 6) { entity["abstract"] = true }
      let attributes = (0..<random.below(5)).map { attribute($0, of: index, isCareless: isCareless, &random) }
      entity["attributes"] = attributes
      let plain = attributes.first {
        $0["transient"] == nil && ["string", "int32", "date"].contains($0["type"] as? String)
      }
      if let key = plain?["name"] as? String {
        if random.once(in: 3) { entity["uniquenessConstraints"] = [[key]] }
        if random.once(in: 3) { entity["indexes"] = [["name": "i", "elements": [["property": key]]]] }
      }
      if random.once(in: 8) { entity["userInfo"] = ["k": "v\u{1B}"] }
      entity["relationships"] = [[String: Any]]()
      entities.append(entity)
    }
    for number in 0..<random.below(5) {
      relate(number, in: &entities, named: names, isCareless: isCareless, &random)
    }
    var model: [String: Any] = ["name": "Made", "entities": entities]
    if isCareless, random.once(in: 2) {
      var grammar = PredicateGrammar(random: random)
      model["fetchRequests"] = [["name": "f", "entity": names[0], "predicate": grammar.predicate(depth: 2)]]
      random = grammar.random
    }
    return String(
      decoding: try JSONSerialization.data(withJSONObject: model, options: .sortedKeys), as: UTF8.self)
  }

  private func relate(
    _ number: Int, in entities: inout [[String: Any]], named names: [String], isCareless: Bool,
    _ random: inout Generator
  ) {
    let from = random.below(names.count)
    let to = random.below(names.count)
    let ends = [(from, to, "r\(number)", "v\(number)"), (to, from, "v\(number)", "r\(number)")]
    for (owner, other, name, inverse) in ends {
      var relationship: [String: Any] = [
        "name": name, "destination": names[other], "inverse": inverse,
        "deleteRule": random.pick(["nullify", "cascade", "deny", "noAction"]),
      ]
      if isCareless, random.once(in: 8) { relationship["inverse"] = nil }
      if random.once(in: 2) {
        relationship["toMany"] = true
        if random.once(in: 3) { relationship["ordered"] = true }
        if random.once(in: 6) { relationship["maxCount"] = 1 + random.below(4) }
      }
      if random.once(in: 6) { relationship["optional"] = false }
      entities[owner]["relationships"] =
        (entities[owner]["relationships"] as? [[String: Any]] ?? []) + [relationship]
    }
  }

  private static let types: [(name: String, good: [any Sendable])] = [
    ("int16", [0, 7, -5]), ("int32", [1, 2_147_483_647]), ("int64", [0, 99]), ("decimal", ["1.5", 0]),
    ("double", [1.5, 0]),
    ("float", [0.5]), ("string", ["x", "", "é\u{1B}"]), ("boolean", [true, false]),
    ("date", ["2024-01-01T00:00:00Z"]),
    ("uuid", ["00000000-0000-0000-0000-000000000001"]), ("uri", ["http://a/b"]), ("binary", ["AQID"]),
    ("transformable", []),
  ]

  private func attribute(
    _ number: Int, of entity: Int, isCareless: Bool, _ random: inout Generator
  ) -> [String: Any] {
    let (type, good) = random.pick(Self.types)
    let strange = ["id", "pk", "ent", "opt", "class", "É", "select"]
    let name =
      random.once(in: 15)
      ? random.pick(strange) + (isCareless ? "" : "\(entity)\(number)") : "a\(entity)_\(number)"
    var attribute: [String: Any] = ["name": name, "type": type]
    if random.once(in: 4) { attribute["optional"] = false }
    if random.once(in: 4), !good.isEmpty { attribute["default"] = random.pick(good) }
    if random.once(in: 6), type.hasPrefix("int") { attribute["min"] = -10 }
    if random.once(in: 8), type == "string" { attribute["maxLength"] = 5 + random.below(10) }
    if random.once(in: 10) { attribute["transient"] = true }
    if random.once(in: 10), type == "binary" { attribute["externalStorage"] = true }
    if isCareless, random.once(in: 6) {
      attribute["default"] = random.pick(
        [0, 1, "x", true, "2024-01-01T00:00:00Z", 1.5, "", -5] as [any Sendable])
    }
    if isCareless, random.once(in: 6) {
      attribute["derivation"] = random.pick([
        "now()", "r0.@count", "a\(entity)_0", "canonical:(a\(entity)_0)",
      ])
    }
    return attribute
  }
}
