import Foundation

/// What an import has to do, worked out with dictionaries by the rules alone.
///
/// A record passes in steps: its own values; whether its key is taken; whether its id is; what its links name; whether its values
/// are unique; how many links objects have in the end. In each step it is held against the records that have passed so
/// far. A record that fails is out, and all begins again without it.
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

    var description: String {
      (entity ?? "--all") + " --from \(format) --commit \(commit) --batch-size \(batchSize)"
        + (policy.map { " --key k --on-conflict \($0)" } ?? "") + (skips ? " --on-error skip" : "")
        + (ignoresUnknown ? " --ignore-unknown" : "")
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
  typealias Relationship = RandomImportModel.Relationship

  private struct Label: Hashable {
    var tree: String
    var text: String
  }

  private struct Touch {
    var object: ID
    var end: String
    var record: Int
    var isMaker = false
    var isTaker = false
  }

  private struct Connection {
    var owner: ID
    var end: Relationship
    var members: [ID]
    var isExact: Bool
    var record: Int
  }

  /// What is known of records that are written.
  private struct Book {
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
  private var rejects: [Int: Set<String>] = [:]
  private var nextNew = 1_000_000

  init(_ model: RandomImportModel, _ records: [ImportRecord], _ options: Options, before: ImportGraph) {
    self.model = model
    self.records = records
    self.options = options
    self.before = before
  }

  private var isTable: Bool { options.format == "csv" || options.format == "tsv" }
  private var tracks: Bool { options.policy == "update" || options.policy == "replace" }
  private var trees: Set<String> {
    guard let entity = options.entity else { return Set(model.entities.map(\.root)) }
    return Set(model.family(entity).compactMap { model.byName[$0]?.root })
  }

  // MARK: Runs

  mutating func outcome() -> Outcome {
    let whole = options.commit == "all"
    var book = Book(graph: before)
    var fails = false
    if whole {
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
  private mutating func importRest(_ numbers: [Int], _ book: inout Book) -> Bool {
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
  private func batches(_ numbers: [Int], size: Int) -> [[Int]] {
    var batches: [[Int]] = []
    var batch: [Int] = []
    var sound = 0
    var wrong = 0
    for number in numbers {
      batch.append(number)
      if ownFault(number) == nil { sound += 1 } else if !options.skips { wrong += 1 }
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
  private func entity(_ record: ImportRecord) -> (name: String?, codes: Set<String>) {
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
  private func ownFault(_ number: Int) -> Set<String>? {
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
    if record.unknownKey != nil, !options.ignoresUnknown { found.insert("unknown-key") }
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

  private var columns: Set<String> {
    Set(records.flatMap { $0.fields.map(\.name) + $0.links.map(\.name) }).union(["k"])
  }

  /// What a record says of an attribute: nil where it says nothing.
  private func value(_ number: Int, _ attribute: RandomImportModel.Attribute) -> String?? {
    for (name, field) in records[number].fields where name == attribute.name {
      if case .value(_, _, let text) = field { return .some(text) }
      return .some(nil)
    }
    return isTable && columns.contains(attribute.name) ? .some(nil) : nil
  }

  private func link(_ number: Int, _ end: Relationship) -> [ImportRecord.Reference]? {
    if let link = records[number].links.first(where: { $0.name == end.name }) { return link.references }
    return isTable && columns.contains(end.name) ? [] : nil
  }

  private func fresh(_ number: Int, _ entity: RandomImportModel.Entity) -> [String: String] {
    var values: [String: String] = [:]
    for attribute in entity.attributes where attribute.refusal == nil {
      values[attribute.name] = value(number, attribute) ?? attribute.defaultValue
    }
    return values
  }

  private func isValid(_ values: [String: String], _ entity: String) -> Bool {
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

  private func change(_ values: inout [String: String], by number: Int, _ entity: RandomImportModel.Entity) {
    for attribute in entity.attributes where attribute.refusal == nil {
      if let value = value(number, attribute) {
        values[attribute.name] = value
      } else if options.policy == "replace" {
        values[attribute.name] = attribute.defaultValue
      }
    }
  }

  // MARK: A batch

  /// Writes a batch into a book.
  ///
  /// - Returns: whether a record failed, and those that wait.
  private mutating func write(_ batch: [Int], _ book: inout Book, completes: Bool) -> (Bool, [Int]) {
    var numbers: [Int] = []
    var failed = false
    var waiting: [Int] = []
    for number in batch {
      if let codes = ownFault(number) {
        failed = true
        if options.skips { rejects[number] = codes }
      } else {
        numbers.append(number)
      }
    }
    if failed, !options.skips { return (true, []) }
    var isThorough = false
    while !numbers.isEmpty {
      var next = book
      let firstNew = nextNew
      let (failures, waits) = attempt(numbers, &next, completes: completes, isThorough: isThorough)
      if failures.isEmpty, waits.isEmpty, isThorough {
        // That was to see what is not unique; nothing is.
        nextNew = firstNew
        isThorough = false
        continue
      }
      if failures.isEmpty, waits.isEmpty {
        book = next
        break
      }
      nextNew = firstNew
      isThorough = !isThorough && failures.values.contains(["constraint-conflict"])
      if failures.isEmpty {
        for number in waits.sorted() {
          waiting.append(number)
          if let label = label(number) { book.waitingLabels.insert(label) }
          if let key = key(number) { book.waitingKeys.insert(key) }
        }
        numbers.removeAll { waits.contains($0) }
      } else {
        failed = true
        if !options.skips { return (true, []) }
        for (number, codes) in failures { rejects[number] = codes }
        numbers.removeAll { failures[$0] != nil }
      }
    }
    return (failed, waiting)
  }

  private func entityOf(_ number: Int) -> RandomImportModel.Entity {
    model.byName[entity(records[number]).name!]!
  }

  private func label(_ number: Int) -> Label? {
    records[number].label.map { label(of: $0, tree: entityOf(number).root) }
  }

  private func label(of reference: ImportRecord.Reference, tree: String) -> Label {
    if case .key(let entity, let key) = reference, let known = model.byName[entity] {
      return Label(tree: known.root, text: "/\(key)")
    }
    return Label(tree: tree, text: reference.text)
  }

  private func key(_ number: Int) -> String? {
    guard options.policy != nil, let attribute = entityOf(number).attributes.first(where: { $0.name == "k" }),
      let value = value(number, attribute) ?? nil
    else { return nil }
    return entityOf(number).root + "=" + value
  }

  private enum Target {
    case found(ID, Int?)
    case waits
    case failed(String)
  }

  private func resolve(
    _ reference: ImportRecord.Reference, _ end: Relationship, _ book: Book, _ own: [Label: (ID, Int)],
    _ waits: Set<Int>, isLast: Bool
  ) -> Target {
    let tree = model.byName[end.destination]!.root
    func checked(_ id: ID, _ record: Int?, _ entity: String) -> Target {
      model.isKind(entity, of: end.destination) ? .found(id, record) : .failed("wrong-destination")
    }
    let label = label(of: reference, tree: tree)
    if let (id, record) = own[label] {
      return waits.contains(record) ? .waits : checked(id, record, objectEntity(id, book, record))
    }
    if let (id, record) = book.labels[label] { return checked(id, record, objectEntity(id, book, record)) }
    if book.waitingLabels.contains(label) { return .waits }
    if !isLast, trees.contains(label.tree) { return .waits }
    if case .key(let entity, let key) = reference, let known = model.byName[entity] {
      let id = ID(root: known.root, key: key)
      if let object = before.objects[id] { return checked(id, nil, object.entity) }
    }
    return .failed("unresolved-link")
  }

  private func objectEntity(_ id: ID, _ book: Book, _ record: Int) -> String {
    book.graph.objects[id]?.entity ?? entityOf(record).name
  }

  /// One attempt at a batch.
  private mutating func attempt(
    _ numbers: [Int], _ book: inout Book, completes: Bool, isThorough: Bool
  ) -> (failures: [Int: Set<String>], waits: Set<Int>) {
    var failures: [Int: Set<String>] = [:]
    var waits: Set<Int> = []
    // Keys.
    var insertions: [Int] = []
    var merges: [(first: Int, number: Int)] = []
    var updates: [(number: Int, object: ID)] = []
    var ignored: [(number: Int, first: Int?, object: ID?)] = []
    var firsts: [String: Int] = [:]
    for number in numbers {
      if let key = key(number), book.waitingKeys.contains(key) { waits.insert(number) }
    }
    if !waits.isEmpty { return ([:], waits) }
    for number in numbers {
      guard let key = key(number) else {
        insertions.append(number)
        continue
      }
      let entity = entityOf(number)
      let object = book.graph.objects.filter {
        $0.key.root == entity.root && $0.value.values["k"].map { entity.root + "=" + $0 } == key
      }
      .map(\.key).max()
      if let object {
        switch options.policy {
        case "ignore": ignored.append((number, nil, object))
        case "error": failures[number] = ["constraint-conflict"]
        default:
          if model.isKind(book.graph.objects[object]!.entity, of: entity.name) {
            updates.append((number, object))
          } else {
            failures[number] = ["constraint-conflict"]
          }
        }
      } else if let first = firsts[key] {
        switch options.policy {
        case "ignore": ignored.append((number, first, nil))
        case "error": failures[number] = ["constraint-conflict"]
        default:
          if model.isKind(entityOf(first).name, of: entity.name) {
            merges.append((first, number))
          } else {
            failures[number] = ["constraint-conflict"]
          }
        }
      } else {
        firsts[key] = number
        insertions.append(number)
      }
    }
    if !failures.isEmpty { return (failures, waits) }
    // Values.
    var rows: [Int: [String: String]] = [:]
    for number in insertions {
      rows[number] = fresh(number, entityOf(number))
      if !isValid(rows[number]!, entityOf(number).name) { failures[number] = ["validation"] }
    }
    if !failures.isEmpty { return (failures, waits) }
    for (first, number) in merges {
      change(&rows[first]!, by: number, entityOf(number))
      if !isValid(rows[first]!, entityOf(first).name) { return ([number: ["validation"]], waits) }
    }
    // Ids.
    var objects: [Int: ID] = [:]
    for number in insertions {
      objects[number] = ID(root: entityOf(number).root, key: nextNew)
      nextNew += 1
    }
    for (number, object) in updates { objects[number] = object }
    for (number, first, object) in ignored { objects[number] = object ?? objects[first!] }
    for (first, number) in merges { objects[number] = objects[first] }
    var own: [Label: (ID, Int)] = [:]
    for number in numbers {
      guard let label = label(number) else { continue }
      if own[label] != nil || book.labels[label] != nil || book.waitingLabels.contains(label) {
        failures[number] = ["not-unique"]
      } else {
        own[label] = (objects[number]!, number)
      }
    }
    if !failures.isEmpty { return (failures, waits) }
    // Links.
    var atOnce: [Connection] = []
    var connections: [Connection] = []
    let old = Set(updates.map(\.number) + merges.map(\.number))
    let passive = Set(ignored.map(\.number))
    // What a record makes has its entity before it is written.
    var typed = book
    for number in insertions { typed.graph.objects[objects[number]!] = .init(entity: entityOf(number).name) }
    for number in numbers where !passive.contains(number) {
      let entity = entityOf(number)
      let owner = objects[number]!
      let isNew = !old.contains(number)
      if !isNew, options.policy == "replace" {
        for end in entity.relationships where !end.isToMany && link(number, end) == nil {
          connections.append(Connection(owner: owner, end: end, members: [], isExact: true, record: number))
        }
      }
      var order = records[number].links.map(\.name)
      if isTable { order = columnOrder }
      next: for name in order {
        guard let end = entity.relationships.first(where: { $0.name == name }),
          let references = link(number, end)
        else { continue }
        if references.isEmpty, !tracks { continue }
        var found: [ID] = []
        var pending: [ImportRecord.Reference] = []
        for reference in references {
          switch resolve(reference, end, typed, own, waits, isLast: false) {
          case .found(let id, let record):
            found.append(id)
            if let record, !completes { book.dependencies.append((number, record)) }
          case .waits: pending.append(reference)
          case .failed(let code):
            failures[number] = [code]
            break next
          }
        }
        if completes, !pending.isEmpty {
          waits.insert(number)
          continue
        }
        if end.isOrdered, !pending.isEmpty { (pending, found) = (references, []) }
        if !pending.isEmpty { book.pending.append((number, owner, end, pending)) }
        for member in found { touch(member, end.inverse, number, &book, typed) }
        if isNew, found.isEmpty { continue }
        let connection = Connection(owner: owner, end: end, members: found, isExact: !isNew, record: number)
        if isNew, isAtOnce(end) { atOnce.append(connection) } else { connections.append(connection) }
      }
    }
    if !failures.isEmpty || !waits.isEmpty { return (failures, waits) }
    // Rows.
    for number in insertions {
      let entity = entityOf(number)
      for (attribute, binds) in entity.unique {
        guard let value = rows[number]![attribute] else { continue }
        let isTaken = book.graph.objects.values.contains {
          model.isKind($0.entity, of: binds) && $0.values[attribute] == value
        }
        if isTaken {
          failures[merges.last { $0.first == number }?.number ?? number] = ["constraint-conflict"]
        }
      }
      if failures[number] == nil,
        merges.last(where: { $0.first == number }).map({ failures[$0.number] == nil }) ?? true
      {
        book.graph.objects[objects[number]!] = .init(entity: entity.name, values: rows[number]!)
        book.made[entity.root, default: []].append(objects[number]!)
      }
      if !failures.isEmpty, !isThorough { return (failures, waits) }
    }
    if !failures.isEmpty { return (failures, waits) }
    for connection in atOnce { connect(connection, &book, touches: false) }
    // Values of objects that are there.
    for (number, object) in updates {
      change(&book.graph.objects[object]!.values, by: number, entityOf(number))
      if !isValid(book.graph.objects[object]!.values, book.graph.objects[object]!.entity) {
        failures[number] = ["validation"]
      }
    }
    if !failures.isEmpty { return (failures, waits) }
    for connection in connections { connect(connection, &book, touches: true) }
    for number in numbers where !passive.contains(number) {
      let entity = entityOf(number)
      for end in entity.relationships where end.isLimited {
        book.touches.append(
          Touch(object: objects[number]!, end: end.name, record: number, isMaker: !old.contains(number)))
      }
    }
    if completes {
      let own = Set(numbers)
      for blamed in countFailures(book, touches: book.touches.filter { own.contains($0.record) }) {
        waits.insert(blamed)
      }
      book.touches = []
      if !waits.isEmpty { return (failures, waits) }
    }
    for (label, (object, record)) in own { book.labels[label] = (object, record) }
    book.inserted += insertions.count
    book.updated += updates.count + merges.count
    book.ignored += ignored.count
    return (failures, waits)
  }

  private var columnOrder: [String] {
    var order: [String] = []
    for record in records {
      for link in record.links where !order.contains(link.name) { order.append(link.name) }
    }
    return order
  }

  private func isAtOnce(_ end: Relationship) -> Bool {
    guard let inverse = end.inverse, let other = model.relationship(inverse, of: end.destination) else {
      return !end.isOrdered
    }
    if end.isToMany { return other.isToMany && !end.isOrdered && !other.isOrdered }
    return other.isToMany && !other.isOrdered
  }

  // MARK: Links

  private func touch(_ object: ID, _ end: String?, _ record: Int, _ book: inout Book, _ typed: Book) {
    guard let end, let entity = typed.graph.objects[object]?.entity ?? book.graph.objects[object]?.entity,
      model.relationship(end, of: entity)?.isLimited == true
    else { return }
    book.touches.append(Touch(object: object, end: end, record: record))
  }

  private func connect(_ connection: Connection, _ book: inout Book, touches: Bool) {
    let (owner, end) = (connection.owner, connection.end)
    if touches {
      for (loser, end) in losers(connection, book) {
        book.touches.append(Touch(object: loser, end: end, record: connection.record, isTaker: true))
      }
    }
    if !end.isToMany {
      book.graph.set(owner, end, to: connection.members.last, model)
      return
    }
    var members: [ID] = []
    for member in connection.members where !members.contains(member) { members.append(member) }
    if end.isOrdered, !connection.isExact, touches {
      members += (book.graph.objects[owner]?.many[end.name] ?? []).filter { !members.contains($0) }
    }
    if connection.isExact || (end.isOrdered && touches) {
      for member in book.graph.objects[owner]?.many[end.name] ?? [] where !members.contains(member) {
        book.graph.remove(owner, end, member, model)
      }
    }
    for member in members { book.graph.add(owner, end, member, model) }
    if end.isOrdered, touches { book.graph.objects[owner]?.many[end.name] = members }
  }

  /// Objects that lose a link where the model limits how many they have.
  private func losers(_ connection: Connection, _ book: Book) -> [(ID, String)] {
    let (owner, end) = (connection.owner, connection.end)
    guard let inverse = end.inverse else { return [] }
    var losers: [(ID, String)] = []
    if !end.isToMany {
      if let old = book.graph.objects[owner]?.one[end.name], old != connection.members.last {
        losers.append((old, inverse))
      }
    } else if connection.isExact {
      for member in book.graph.objects[owner]?.many[end.name] ?? [] where !connection.members.contains(member)
      {
        losers.append((member, inverse))
      }
    }
    for member in connection.members {
      if let holder = book.graph.objects[member]?.one[inverse], holder != owner {
        losers.append((holder, end.name))
      }
    }
    return losers.filter { object, name in
      book.graph.objects[object].flatMap { model.relationship(name, of: $0.entity) }?.isLimited == true
    }
  }

  /// The records that are to blame for objects with too few or too many links.
  private func countFailures(_ book: Book, touches: [Touch]) -> [Int] {
    var blamed: [Int] = []
    for (object, touches) in Dictionary(grouping: touches, by: \.object) {
      guard let entity = book.graph.objects[object].flatMap({ model.byName[$0.entity] }) else { continue }
      for end in entity.relationships where end.isLimited {
        let count = book.graph.count(object, end)
        let isTooMany = end.isToMany && end.maximum > 0 && count > end.maximum
        let isTooFew = end.isToMany ? count < end.minimum && !(count == 0 && end.isOptional) : count == 0
        guard isTooMany || isTooFew else { continue }
        let own = touches.filter { $0.end == end.name }
        let all = own.map(\.record)
        let takers = own.filter(\.isTaker).map(\.record)
        let makers = own.filter(\.isMaker).map(\.record)
        if let record = isTooMany ? all.max() : takers.max() ?? makers.first ?? all.max() {
          blamed.append(record)
        }
      }
    }
    return blamed
  }

  // MARK: The end

  private mutating func finish(_ book: inout Book) -> [Int: Set<String>] {
    var failures: [Int: Set<String>] = [:]
    var connections: [Connection] = []
    for pending in book.pending {
      var members: [ID] = []
      for reference in pending.references {
        switch resolve(reference, pending.end, book, [:], [], isLast: true) {
        case .found(let id, let record):
          members.append(id)
          if let record { book.dependencies.append((pending.record, record)) }
          touch(id, pending.end.inverse, pending.record, &book, book)
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
