import Foundation
import GraphStore

/// Options and records made from a seed; about a third of the records are wrong in some way.
struct RandomImport {
  let options: ImportOracle.Options
  let records: [ImportRecord]

  /// - Parameter isSetup: makes sound records alone, to fill a store.
  init(
    _ model: RandomImportModel, _ before: ImportGraph, isSetup: Bool, using random: inout SeededGenerator
  ) {
    var options = ImportOracle.Options()
    options.skips = isSetup || Int.random(in: 0..<3, using: &random) > 0
    if !isSetup {
      options.format = ["ndjson", "ndjson", "json", "csv", "tsv"].randomElement(using: &random)!
      options.commit = ["all", "all", "all", "batch", "line"].randomElement(using: &random)!
      options.policy = [nil, nil, "error", "ignore", "update", "replace"].randomElement(using: &random)!
      options.batchSize = [1, 2, 3, 5, 1000].randomElement(using: &random)!
      options.ignoresUnknown = Int.random(in: 0..<6, using: &random) == 0
      if Int.random(in: 0..<3, using: &random) == 0 {
        options.entity =
          model.entities.filter { !model.family($0.name).isEmpty }.randomElement(using: &random)?.name
      }
    }
    // Ids can be kept where no tree has objects yet.
    let entities = options.entity.map(model.family) ?? model.entities.filter { !$0.isAbstract }.map(\.name)
    let trees = Set(entities.compactMap { model.byName[$0]?.root })
    options.keepsIDs =
      options.policy == nil && !before.objects.keys.contains { trees.contains($0.root) }
      && Bool.random(using: &random)
    if !isSetup {
      let ends = Set(entities.flatMap { model.byName[$0]!.relationships.map(\.name) }).sorted()
      options.lookups = ends.filter { _ in Int.random(in: 0..<6, using: &random) == 0 }
    }
    self.options = options
    // In abort mode most imports are to succeed.
    let badness = isSetup ? 0.0 : options.skips ? 0.3 : [0.0, 0.0, 0.05].randomElement(using: &random)!
    let count = isSetup ? 8 : Int.random(in: 0...14, using: &random)
    var maker = RecordMaker(model: model, before: before, options: options, badness: badness)
    maker.hasOddColumns = Int.random(in: 0..<8, using: &random) == 0
    for index in 0..<max(count, 1) { maker.addPlan(index, names: entities, &random) }
    records = (0..<count).map { maker.record($0, &random) }
  }
}

/// Makes records of one input.
private struct RecordMaker {
  let model: RandomImportModel
  let before: ImportGraph
  let options: ImportOracle.Options
  let badness: Double
  /// Whether tables have columns that their entities do not hold.
  var hasOddColumns = false
  // What is drawn beforehand of each record.
  private var entities: [String] = []
  private var labels: [ImportRecord.Reference] = []
  private var keys: [Int?] = []

  init(model: RandomImportModel, before: ImportGraph, options: ImportOracle.Options, badness: Double) {
    (self.model, self.before, self.options, self.badness) = (model, before, options, badness)
  }

  private var isTable: Bool { options.format == "csv" || options.format == "tsv" }

  private func isBad(_ random: inout SeededGenerator, _ share: Double = 0.2) -> Bool {
    Double.random(in: 0..<1, using: &random) < badness * share
  }

  /// Draws what other records can refer to.
  mutating func addPlan(_ index: Int, names: [String], _ random: inout SeededGenerator) {
    let entity = names.randomElement(using: &random) ?? model.entities[0].name
    entities.append(entity)
    if Int.random(in: 0..<3, using: &random) > 0 {
      keys.append(Int.random(in: 0..<(badness == 0 ? 400 : 30), using: &random))
    } else {
      keys.append(nil)
    }
    if options.keepsIDs {
      let number = index * 3 + Int.random(in: 1...3, using: &random)
      labels.append(Bool.random(using: &random) ? .number(number) : .key(entity: entity, number))
      return
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: labels.append(.label("x\(index)"))
    case 1: labels.append(.number(index + 1))
    default: labels.append(.label("y-\(index % 5)"))
    }
  }

  func record(_ index: Int, _ random: inout SeededGenerator) -> ImportRecord {
    let entity = model.byName[entities[index]]!
    var record = ImportRecord()
    record.entity = entity.name
    if isBad(&random) {
      record.entity = [nil, "Nosuch", model.entities.randomElement(using: &random)!.name].randomElement(
        using: &random)!
    } else if options.entity == entity.name, Bool.random(using: &random) {
      record.entity = nil
    }
    if options.keepsIDs {
      record.label = labels[index]
      if isBad(&random, 0.1) {
        record.label = [nil, .label("z"), .key(entity: model.entities[0].name, 400)].randomElement(
          using: &random)!
      }
    } else if Int.random(in: 0..<5, using: &random) > 0 {
      record.label =
        Int.random(in: 0..<6, using: &random) == 0 ? .key(entity: entity.root, 500 + index) : labels[index]
    }
    if isBad(&random, 0.1), index > 0 { record.label = labels[index - 1] }
    for attribute in entity.attributes { add(attribute, key: keys[index], to: &record, &random) }
    for end in entity.relationships { add(end, to: &record, &random) }
    if isTable ? hasOddColumns && Int.random(in: 0..<8, using: &random) == 0 : isBad(&random, 0.1) {
      record.unknownKey = "zork"
    }
    if isBad(&random, 0.15) { record.breakage = ImportRecord.Breakage.allCases.randomElement(using: &random) }
    return record
  }

  private func add(
    _ attribute: RandomImportModel.Attribute, key: Int?, to record: inout ImportRecord,
    _ random: inout SeededGenerator
  ) {
    if attribute.refusal != nil {
      guard !isTable || hasOddColumns, Bool.random(using: &random) else { return }
      let field: ImportRecord.Field =
        isBad(&random) ? .wrong(json: "\"q\"", cell: "q", codes: []) : .null
      return record.fields.append((attribute.name, field))
    }
    if attribute.name == "k" {
      guard let key else { return }
      return record.fields.append(("k", .value(json: "\(key)", cell: "\(key)", text: "\(key)")))
    }
    if isBad(&random, 0.1), let wrong = Self.wrong(attribute.type) {
      return record.fields.append((attribute.name, wrong))
    }
    let mayLack = attribute.isOptional || isBad(&random, 0.1)
    if mayLack, Int.random(in: 0..<4, using: &random) == 0 {
      if Bool.random(using: &random) { record.fields.append((attribute.name, .null)) }
      return
    }
    var pool = Self.pool(attribute.type)
    if attribute.minimum != nil { pool = isBad(&random) ? [pool[1]] : [pool[0], pool[2]] }
    if attribute.minimumLength != nil { pool = isBad(&random) ? [pool[0]] : Array(pool.dropFirst()) }
    let value = pool.randomElement(using: &random)!
    record.fields.append((attribute.name, .value(json: value.0, cell: value.1, text: value.2)))
  }

  private func add(
    _ end: RandomImportModel.Relationship, to record: inout ImportRecord, _ random: inout SeededGenerator
  ) {
    let isNeeded = end.isLimited && !isBad(&random)
    guard isNeeded || Int.random(in: 0..<3, using: &random) == 0 else { return }
    let few =
      end.isToMany
      ? Int.random(in: isNeeded ? 1...2 : 0...3, using: &random)
      : Int.random(in: isNeeded ? 1...1 : 0...1, using: &random)
    var references: [ImportRecord.Reference] = []
    for _ in 0..<few {
      let reference =
        options.lookups.contains(end.name) ? lookup(end, &random) : reference(end, &random)
      if let reference, !references.contains(where: { $0.text == reference.text }) {
        references.append(reference)
      }
    }
    record.links.append(.init(name: end.name, isToMany: end.isToMany, references: references))
  }

  /// The key of an object that is there, or of a record.
  private func lookup(
    _ end: RandomImportModel.Relationship, _ random: inout SeededGenerator
  ) -> ImportRecord.Reference? {
    if isBad(&random, 0.15) { return [.lookup("nobody"), .lookup("977")].randomElement(using: &random)! }
    let there = before.objects.filter { model.isKind($0.value.entity, of: end.destination) }
      .sorted { $0.key < $1.key }.compactMap(\.value.values["k"])
    let coming = zip(entities, keys).compactMap { entity, key in
      model.isKind(entity, of: end.destination) ? key.map(String.init) : nil
    }
    let isThere = coming.isEmpty || Bool.random(using: &random)
    return (isThere ? there : coming).randomElement(using: &random).map { .lookup($0) }
  }

  private func reference(
    _ end: RandomImportModel.Relationship, _ random: inout SeededGenerator
  ) -> ImportRecord.Reference? {
    if isBad(&random, 0.15) {
      return [
        .label("nobody"), .number(977), .key(entity: end.destination, 9999),
        .key(entity: model.entities[0].name, 1),
      ]
      .randomElement(using: &random)!
    }
    let fitting = entities.indices.filter { model.isKind(entities[$0], of: end.destination) }
    let there = before.objects.filter { model.isKind($0.value.entity, of: end.destination) }.map(\.key)
      .sorted()
    if !there.isEmpty, fitting.isEmpty || Int.random(in: 0..<3, using: &random) == 0 {
      let id = there.randomElement(using: &random)!
      return .key(entity: before.objects[id]!.entity, id.key)
    }
    return fitting.randomElement(using: &random).map { labels[$0] }
  }

  /// Values as JSON, as cells, and as the oracle compares them.
  static func pool(_ type: String) -> [(String, String, String)] {
    switch type {
    case "int16", "int32", "int64": [("5", "5", "5"), ("-3", "-3", "-3"), ("0", "0", "0")]
    case "decimal": [("\"12.50\"", "12.50", "12.5"), ("7", "7", "7"), ("0.1", "0.1", "0.1")]
    case "double": [("0.5", "0.5", "0.5"), ("-2", "-2", "-2.0"), ("1e3", "1e3", "1000.0")]
    case "float": [("0.5", "0.5", "0.5"), ("-2", "-2", "-2.0"), ("0.25", "0.25", "0.25")]
    case "boolean": [("true", "true", "true"), ("false", "false", "false"), ("true", "true", "true")]
    case "date":
      [
        ("\"2001-01-01T00:00:01Z\"", "2001-01-01T00:00:01Z", "1.0"),
        ("\"2001-01-02\"", "2001-01-02", "86400.0"),
        ("\"2000-12-31T23:59:59Z\"", "2000-12-31T23:59:59Z", "-1.0"),
      ]
    case "uuid":
      [
        (
          "\"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\"", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
          "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
        ),
        (
          "\"6ba7b811-9dad-11d1-80b4-00c04fd430c8\"", "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
          "6BA7B811-9DAD-11D1-80B4-00C04FD430C8"
        ),
        (
          "\"6BA7B812-9DAD-11D1-80B4-00C04FD430C8\"", "6BA7B812-9DAD-11D1-80B4-00C04FD430C8",
          "6BA7B812-9DAD-11D1-80B4-00C04FD430C8"
        ),
      ]
    case "uri":
      [
        ("\"http://a.org/b\"", "http://a.org/b", "http://a.org/b"), ("\"x:y\"", "x:y", "x:y"),
        ("\"http://c\"", "http://c", "http://c"),
      ]
    case "binary": [("\"AQI=\"", "AQI=", "AQI="), ("\"\"", "", ""), ("\"/w==\"", "/w==", "/w==")]
    default:
      [
        ("\"a\"", "a", "a"), ("\"b,c\\\"d\"", "b,c\"d", "b,c\"d"),
        ("\"tab\\tend\\\\N\"", "tab\tend\\N", "tab\tend\\N"), ("\"日本語\"", "日本語", "日本語"),
      ]
    }
  }

  static func wrong(_ type: String) -> ImportRecord.Field? {
    let codes: Set<String> = ["value-type", "value-out-of-range"]
    switch type {
    case "int16": return .wrong(json: "70000", cell: "70000", codes: codes)
    case "string": return nil
    case "boolean": return .wrong(json: "\"perhaps\"", cell: "perhaps", codes: codes)
    case "binary": return .wrong(json: "\"?\"", cell: "?", codes: codes)
    case "uri": return .wrong(json: "[]", cell: "", codes: codes)
    default: return .wrong(json: "\"12k\"", cell: "12k", codes: codes)
    }
  }
}
