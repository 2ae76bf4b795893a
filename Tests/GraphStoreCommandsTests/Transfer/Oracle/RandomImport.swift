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
    self.options = options
    // In abort mode most imports are to succeed.
    let badness = isSetup ? 0.0 : options.skips ? 0.3 : [0.0, 0.0, 0.05].randomElement(using: &random)!
    let maker = RecordMaker(model: model, before: before, options: options, badness: badness)
    let count = isSetup ? 8 : Int.random(in: 0...14, using: &random)
    let names: [ImportRecord.Reference] = (0..<max(count, 1)).map { index in
      switch Int.random(in: 0..<3, using: &random) {
      case 0: .label("x\(index)")
      case 1: .number(index + 1)
      default: .label("y-\(index % 5)")
      }
    }
    let entities = (0..<count).map { _ in maker.entity(&random) }
    records = (0..<count).map { maker.record($0, entities, names, &random) }
  }
}

/// Makes records of one input.
private struct RecordMaker {
  let model: RandomImportModel
  let before: ImportGraph
  let options: ImportOracle.Options
  let badness: Double

  private var isTable: Bool { options.format == "csv" || options.format == "tsv" }

  private func isBad(_ random: inout SeededGenerator, _ share: Double = 0.2) -> Bool {
    Double.random(in: 0..<1, using: &random) < badness * share
  }

  func entity(_ random: inout SeededGenerator) -> String {
    let names =
      options.entity.map { model.family($0) } ?? model.entities.filter { !$0.isAbstract }.map(\.name)
    return names.randomElement(using: &random) ?? model.entities[0].name
  }

  func record(
    _ index: Int, _ entities: [String], _ names: [ImportRecord.Reference], _ random: inout SeededGenerator
  ) -> ImportRecord {
    let entity = model.byName[entities[index]]!
    var record = ImportRecord()
    record.entity = entity.name
    if isBad(&random) {
      record.entity = [nil, "Nosuch", model.entities.randomElement(using: &random)!.name].randomElement(
        using: &random)!
    } else if options.entity == entity.name, Bool.random(using: &random) {
      record.entity = nil
    }
    if Int.random(in: 0..<5, using: &random) > 0 {
      record.label =
        Int.random(in: 0..<6, using: &random) == 0 ? .key(entity: entity.root, 500 + index) : names[index]
    }
    if isBad(&random, 0.1), index > 0 { record.label = names[index - 1] }
    for attribute in entity.attributes { add(attribute, to: &record, &random) }
    for end in entity.relationships { add(end, to: &record, entities, names, &random) }
    if isBad(&random, 0.1), !isTable { record.unknownKey = "zork" }
    if isBad(&random, 0.15) { record.breakage = ImportRecord.Breakage.allCases.randomElement(using: &random) }
    return record
  }

  private func add(
    _ attribute: RandomImportModel.Attribute, to record: inout ImportRecord, _ random: inout SeededGenerator
  ) {
    if attribute.refusal != nil {
      guard !isTable, Bool.random(using: &random) else { return }
      let field: ImportRecord.Field =
        isBad(&random) ? .wrong(json: "\"q\"", cell: "q", codes: []) : .null
      return record.fields.append((attribute.name, field))
    }
    if attribute.name == "k" {
      guard Int.random(in: 0..<3, using: &random) > 0 else { return }
      let number = Int.random(in: 0..<(badness == 0 ? 400 : 30), using: &random)
      return record.fields.append(("k", .value(json: "\(number)", cell: "\(number)", text: "\(number)")))
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
    _ end: RandomImportModel.Relationship, to record: inout ImportRecord, _ entities: [String],
    _ names: [ImportRecord.Reference], _ random: inout SeededGenerator
  ) {
    let isNeeded = end.isLimited && !isBad(&random)
    guard isNeeded || Int.random(in: 0..<3, using: &random) == 0 else { return }
    let few =
      end.isToMany
      ? Int.random(in: isNeeded ? 1...2 : 0...3, using: &random)
      : Int.random(in: isNeeded ? 1...1 : 0...1, using: &random)
    var references: [ImportRecord.Reference] = []
    for _ in 0..<few {
      let reference = reference(end, entities, names, &random)
      if let reference, !references.contains(where: { $0.text == reference.text }) {
        references.append(reference)
      }
    }
    record.links.append(.init(name: end.name, isToMany: end.isToMany, references: references))
  }

  private func reference(
    _ end: RandomImportModel.Relationship, _ entities: [String], _ names: [ImportRecord.Reference],
    _ random: inout SeededGenerator
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
    return fitting.randomElement(using: &random).map { names[$0] }
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
