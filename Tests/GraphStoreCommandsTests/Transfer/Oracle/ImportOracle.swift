import Foundation

/// What an import has to do, worked out with dictionaries by the rules alone.
///
/// A record passes in steps: its own values; whether its key is taken; whether its id is; what its links
/// name; whether its values are unique; how many links objects have in the end. In each step it is held
/// against the records that have passed so far. A record that fails is out, and all begins again without it.
struct ImportOracle {
  /// What the command is told.
  struct Options: CustomStringConvertible {
    var format = "ndjson"
    /// The entity that is named; nil is `--all`.
    var entity: String?
    var commit = "all"
    var policy: String?
    var skips = false
    var batchSize = 1000
    var ignoresUnknown = false
    var keepsIDs = false
    /// Relationships whose links are given by the attribute `k` of what they lead to.
    var lookups: [String] = []

    var description: String {
      (entity ?? "--all") + " --from \(format) --commit \(commit) --batch-size \(batchSize)"
        + (policy.map { " --key k --on-conflict \($0)" } ?? "") + (skips ? " --on-error skip" : "")
        + (ignoresUnknown ? " --ignore-unknown" : "") + (keepsIDs ? " --keep-ids" : "")
        + lookups.map { " --link \($0)=k" }.joined()
    }
  }

  /// What comes of it.
  struct Outcome {
    var graph: ImportGraph
    /// New objects in the order of their keys, by tree.
    var made: [String: [ImportGraph.ID]] = [:]
    var inserted = 0
    var updated = 0
    var ignored = 0
    /// Codes that a record can be rejected with.
    var rejects: [Int: Set<String>] = [:]
    var fails = false
  }

  typealias ID = ImportGraph.ID

  /// Stands for several objects that have the key of one record.
  static let several = ID(root: "several", key: 0)
  typealias Relationship = RandomImportModel.Relationship

  struct Label: Hashable {
    var tree: String
    var text: String
  }

  struct Touch {
    var object: ID
    var end: String
    var record: Int
    var isMaker = false
    var isTaker = false
  }

  struct Connection {
    var owner: ID
    var end: Relationship
    var members: [ID]
    var isExact: Bool
    var record: Int
  }

  /// What is known of records that are written.
  struct Book {
    var graph: ImportGraph
    var labels: [Label: (object: ID, record: Int)] = [:]
    var waitingLabels: Set<Label> = []
    var waitingKeys: Set<String> = []
    var pending: [(record: Int, owner: ID, end: Relationship, references: [ImportRecord.Reference])] = []
    var touches: [Touch] = []
    var dependencies: [(record: Int, target: Int)] = []
    var made: [String: [ID]] = [:]
    var inserted = 0
    var updated = 0
    var ignored = 0
  }

  let model: RandomImportModel
  let records: [ImportRecord]
  let options: Options
  let before: ImportGraph
  var rejects: [Int: Set<String>] = [:]
  var nextNew = 1_000_000

  init(_ model: RandomImportModel, records: [ImportRecord], options: Options, before: ImportGraph) {
    self.model = model
    self.records = records
    self.options = options
    self.before = before
  }

  var isTable: Bool { options.format == "csv" || options.format == "tsv" }
  var tracks: Bool { options.policy == "update" || options.policy == "replace" }
  var trees: Set<String> {
    Set(entities.map(\.root))
  }

  /// The entities that records may have.
  var entities: [RandomImportModel.Entity] {
    guard let entity = options.entity else { return model.entities.filter { !$0.isAbstract } }
    return model.family(entity).compactMap { model.byName[$0] }
  }

  // MARK: Runs

  mutating func outcome() -> Outcome {
    let whole = options.commit == "all"
    var book = Book(graph: before)
    var fails = hasWrongHeader
    if fails {
      // Nothing of it is read.
    } else if whole {
      fails = !importRest(Array(records.indices), &book)
      if fails { book = Book(graph: before) }
    } else {
      var waiting: [Int] = []
      for batch in batches(Array(records.indices), size: options.commit == "line" ? 1 : options.batchSize) {
        var next = book
        let (failed, waits) = write(batch, &next, completes: true)
        if failed, !options.skips {
          fails = true
          break
        }
        book = next
        waiting += waits
      }
      if !fails, !waiting.isEmpty {
        var next = book
        next.waitingLabels = []
        next.waitingKeys = []
        if importRest(waiting.sorted(), &next) { book = next } else { fails = true }
      }
    }
    var outcome = Outcome(graph: book.graph)
    (outcome.made, outcome.inserted, outcome.updated, outcome.ignored) =
      (book.made, book.inserted, book.updated, book.ignored)
    outcome.fails = fails
    outcome.rejects = rejects
    return outcome
  }

  /// Imports records as a whole; false where that fails.
  mutating func importRest(_ numbers: [Int], _ book: inout Book) -> Bool {
    while true {
      var next = book
      for batch in batches(numbers.filter { rejects[$0] == nil }, size: options.batchSize) {
        let (failed, _) = write(batch, &next, completes: false)
        if failed, !options.skips { return false }
      }
      let failures = finish(&next)
      if failures.isEmpty {
        book = next
        return true
      }
      if !options.skips { return false }
      for (record, codes) in failures where rejects[record] == nil { rejects[record] = codes }
    }
  }

  /// The batches: so many records whose own values are right.
  func batches(_ numbers: [Int], size: Int) -> [[Int]] {
    var batches: [[Int]] = []
    var batch: [Int] = []
    var sound = 0
    var wrong = 0
    for number in numbers {
      batch.append(number)
      if ownProblem(number) == nil { sound += 1 } else if !options.skips { wrong += 1 }
      if sound >= size || wrong >= size {
        batches.append(batch)
        (batch, sound, wrong) = ([], 0, 0)
      }
    }
    if !batch.isEmpty { batches.append(batch) }
    return batches
  }

  // MARK: A record by itself

  /// The entity of a record, or why it has none.
  func entity(_ record: ImportRecord) -> (name: String?, codes: Set<String>) {
    let mixed =
      options.entity.map { entity in
        model.byName[entity]!.isAbstract || model.entities.contains { $0.parent == entity }
      } ?? true
    var name = record.entity
    if name == nil, mixed, case .key(let entity, _)? = record.label, let known = options.entity {
      if model.byName[entity] != nil, model.isKind(entity, of: known) { name = entity }
    } else if name == nil, mixed, case .key(let entity, _)? = record.label, model.byName[entity] != nil {
      name = entity
    }
    guard let found = name ?? options.entity else { return (nil, ["unknown-entity"]) }
    guard let entity = model.byName[found] else { return (nil, ["unknown-entity"]) }
    if let known = options.entity, !model.isKind(found, of: known) { return (nil, ["wrong-destination"]) }
    if entity.isAbstract { return (nil, ["abstract-entity"]) }
    return (found, [])
  }

  /// The codes of what is wrong with a record by itself; nil where nothing is.
  func ownProblem(_ number: Int) -> Set<String>? {
    let record = records[number]
    if let breakage = record.breakage {
      if breakage == .notUTF8 { return ["not-utf8"] }
      return isTable
        ? ["field-count"]
        : breakage == .syntax ? ["json-syntax"] : breakage == .twice ? ["duplicate-key"] : ["not-an-object"]
    }
    let (name, codes) = entity(record)
    var found = codes
    guard let name, let entity = model.byName[name] else { return found }
    if record.unknownKey != nil, !options.ignoresUnknown, !isTable { found.insert("unknown-key") }
    for (key, field) in record.fields {
      guard let attribute = entity.attributes.first(where: { $0.name == key }) else {
        if case .null = field, isTable { continue }
        if !options.ignoresUnknown { found.insert("unknown-key") }
        continue
      }
      if case .null = field { continue }
      if let refusal = attribute.refusal { found.insert(refusal) }
      if case .wrong(_, _, let codes) = field { found.formUnion(codes) }
    }
    for link in record.links where !entity.relationships.contains(where: { $0.name == link.name }) {
      if isTable, link.references.isEmpty { continue }
      if !options.ignoresUnknown { found.insert("unknown-key") }
    }
    return found.isEmpty ? nil : found
  }

  var columns: Set<String> {
    Set(records.flatMap { $0.fields.map(\.name) + $0.links.map(\.name) }).union(["k"])
  }

  /// Whether a table has a column that no entity of its records holds.
  var hasWrongHeader: Bool {
    guard isTable else { return false }
    return columns.union(records.compactMap(\.unknownKey)).contains { name in
      !entities.contains { entity in
        if let attribute = entity.attributes.first(where: { $0.name == name }) {
          // Values of some types are refused by themselves.
          return attribute.refusal == nil || attribute.refusal == "value-type"
        }
        return options.ignoresUnknown || entity.relationships.contains { $0.name == name }
      }
    }
  }

  /// What a record says of an attribute: nil where it says nothing.
  func value(_ number: Int, _ attribute: RandomImportModel.Attribute) -> String?? {
    for (name, field) in records[number].fields where name == attribute.name {
      if case .value(_, _, let text) = field { return .some(text) }
      return .some(nil)
    }
    return isTable && columns.contains(attribute.name) ? .some(nil) : nil
  }

  func link(_ number: Int, _ end: Relationship) -> [ImportRecord.Reference]? {
    if let link = records[number].links.first(where: { $0.name == end.name }) { return link.references }
    return isTable && columns.contains(end.name) ? [] : nil
  }

  func fresh(_ number: Int, _ entity: RandomImportModel.Entity) -> [String: String] {
    var values: [String: String] = [:]
    for attribute in entity.attributes where attribute.refusal == nil {
      values[attribute.name] = value(number, attribute) ?? attribute.defaultValue
    }
    return values
  }

  func isValid(_ values: [String: String], _ entity: String) -> Bool {
    for attribute in model.byName[entity]!.attributes where attribute.refusal == nil {
      guard let value = values[attribute.name] else {
        if !attribute.isOptional { return false }
        continue
      }
      if let minimum = attribute.minimum, let number = Int(value), number < minimum { return false }
      if let length = attribute.minimumLength, value.utf16.count < length { return false }
    }
    return true
  }

  func change(_ values: inout [String: String], by number: Int, _ entity: RandomImportModel.Entity) {
    for attribute in entity.attributes where attribute.refusal == nil {
      if let value = value(number, attribute) {
        values[attribute.name] = value
      } else if options.policy == "replace" {
        values[attribute.name] = attribute.defaultValue
      }
    }
  }

  // MARK: The end

  mutating func finish(_ book: inout Book) -> [Int: Set<String>] {
    var failures: [Int: Set<String>] = [:]
    var connections: [Connection] = []
    for pending in book.pending {
      var members: [ID] = []
      for reference in pending.references {
        switch resolve(reference, end: pending.end, book: book, own: [:], waits: [], isLast: true) {
        case .found(let id, let record):
          members.append(id)
          if let record { book.dependencies.append((pending.record, record)) }
          touch(id, end: pending.end.inverse, record: pending.record, in: &book, typed: book)
          if pending.end.isLimited {
            book.touches.append(Touch(object: pending.owner, end: pending.end.name, record: pending.record))
          }
        case .failed(let code): failures[pending.record, default: []].insert(code)
        case .waits: break
        }
      }
      connections.append(
        Connection(
          owner: pending.owner, end: pending.end, members: members, isExact: false, record: pending.record))
    }
    if failures.isEmpty {
      for connection in connections { connect(connection, &book, touches: true) }
      for blamed in countFailures(book, touches: book.touches) { failures[blamed] = ["validation"] }
    }
    guard options.skips else { return failures }
    var queue = Array(failures.keys)
    while let target = queue.popLast() {
      for (record, other) in book.dependencies where other == target && failures[record] == nil {
        failures[record] = ["unresolved-link"]
        queue.append(record)
      }
    }
    return failures
  }
}
