/// What becomes of a batch of records.
extension ImportOracle {
  // MARK: A batch

  /// Writes a batch into a book.
  ///
  /// - Returns: whether a record failed, and those that wait.
  mutating func write(_ batch: [Int], _ book: inout Book, completes: Bool) -> (Bool, [Int]) {
    var numbers: [Int] = []
    var failed = false
    var waiting: [Int] = []
    for number in batch {
      if let codes = ownProblem(number) {
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

  func entityOf(_ number: Int) -> RandomImportModel.Entity {
    model.byName[entity(records[number]).name!]!
  }

  func label(_ number: Int) -> Label? {
    records[number].label.map { label(of: $0, tree: entityOf(number).root) }
  }

  func label(of reference: ImportRecord.Reference, tree: String) -> Label {
    if let id = id(of: reference, tree: tree) { return Label(tree: id.root, text: "/\(id.key)") }
    return Label(tree: tree, text: reference.text)
  }

  /// The object that a reference names by its key.
  func id(of reference: ImportRecord.Reference, tree: String) -> ID? {
    switch reference {
    case .key(let entity, let key): model.byName[entity].map { ID(root: $0.root, key: key) }
    case .number(let number) where options.keepsIDs: ID(root: tree, key: number)
    default: nil
    }
  }

  /// What a link by an attribute finds among objects that are written.
  func find(_ value: String, end: Relationship, book: Book, isLast: Bool) -> Target {
    guard Int(value) != nil else { return .failed("unresolved-link") }
    let found = book.graph.objects.filter {
      model.isKind($0.value.entity, of: end.destination) && $0.value.values["k"] == value
    }
    if found.count > 1 { return .failed("not-unique") }
    if let id = found.first?.key { return .found(id, nil) }
    return !isLast && trees.contains(model.byName[end.destination]!.root)
      ? .waits : .failed("unresolved-link")
  }

  func key(_ number: Int) -> String? {
    guard options.policy != nil, let attribute = entityOf(number).attributes.first(where: { $0.name == "k" }),
      let value = value(number, attribute) ?? nil
    else { return nil }
    return entityOf(number).root + "=" + value
  }

  enum Target {
    case found(ID, Int?)
    case waits
    case failed(String)
  }

  func resolve(
    _ reference: ImportRecord.Reference, end: Relationship, book: Book, own: [Label: (ID, Int)],
    waits: Set<Int>, isLast: Bool
  ) -> Target {
    if case .lookup(let value) = reference { return find(value, end: end, book: book, isLast: isLast) }
    let tree = model.byName[end.destination]!.root
    func checked(_ id: ID, record: Int?, entity: String) -> Target {
      if id == Self.several { return .failed("not-unique") }
      return model.isKind(entity, of: end.destination) ? .found(id, record) : .failed("wrong-destination")
    }
    let label = label(of: reference, tree: tree)
    if let (id, record) = own[label] {
      return waits.contains(record)
        ? .waits : checked(id, record: record, entity: objectEntity(id, in: book, record: record))
    }
    if let (id, record) = book.labels[label] {
      return checked(id, record: record, entity: objectEntity(id, in: book, record: record))
    }
    if book.waitingLabels.contains(label) { return .waits }
    if !isLast, trees.contains(label.tree) { return .waits }
    if let id = id(of: reference, tree: tree), let object = before.objects[id] {
      return checked(id, record: nil, entity: object.entity)
    }
    return .failed("unresolved-link")
  }

  func objectEntity(_ id: ID, in book: Book, record: Int) -> String {
    book.graph.objects[id]?.entity ?? entityOf(record).name
  }

  /// One attempt at a batch.
  mutating func attempt(
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
      let holders = book.graph.objects.filter {
        $0.key.root == entity.root && $0.value.values["k"].map { entity.root + "=" + $0 } == key
      }
      if let object = holders.count > 1 ? Self.several : holders.first?.key {
        switch options.policy {
        case "ignore": ignored.append((number, nil, object))
        case "error": failures[number] = ["constraint-conflict"]
        case _ where object == Self.several: failures[number] = ["not-unique"]
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
      let root = entityOf(number).root
      guard options.keepsIDs else {
        objects[number] = ID(root: root, key: nextNew)
        nextNew += 1
        continue
      }
      if let label = records[number].label, let id = id(of: label, tree: root), id.root == root {
        objects[number] = id
      } else {
        failures[number] = ["value-type"]
      }
    }
    for (number, object) in updates { objects[number] = object }
    for (number, first, object) in ignored { objects[number] = object ?? objects[first!] }
    for (first, number) in merges { objects[number] = objects[first] }
    var own: [Label: (ID, Int)] = [:]
    for number in numbers {
      guard let label = label(number) else { continue }
      if own[label] != nil || book.labels[label] != nil || book.waitingLabels.contains(label) {
        failures[number] = failures[number] ?? ["not-unique"]
      } else if let object = objects[number] {
        own[label] = (object, number)
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
          switch resolve(reference, end: end, book: typed, own: own, waits: waits, isLast: false) {
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
        for member in found { touch(member, end: end.inverse, record: number, in: &book, typed: typed) }
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

  var columnOrder: [String] {
    var order: [String] = []
    for record in records {
      for link in record.links where !order.contains(link.name) { order.append(link.name) }
    }
    return order
  }

  func isAtOnce(_ end: Relationship) -> Bool {
    guard let inverse = end.inverse, let other = model.relationship(inverse, of: end.destination) else {
      return !end.isOrdered
    }
    if end.isToMany { return other.isToMany && !end.isOrdered && !other.isOrdered }
    return other.isToMany && !other.isOrdered
  }

  // MARK: Links

  func touch(_ object: ID, end: String?, record: Int, in book: inout Book, typed: Book) {
    guard let end, let entity = typed.graph.objects[object]?.entity ?? book.graph.objects[object]?.entity,
      model.relationship(end, of: entity)?.isLimited == true
    else { return }
    book.touches.append(Touch(object: object, end: end, record: record))
  }

  func connect(_ connection: Connection, _ book: inout Book, touches: Bool) {
    let (owner, end) = (connection.owner, connection.end)
    if touches {
      for (loser, end) in losers(connection, book) {
        book.touches.append(Touch(object: loser, end: end, record: connection.record, isTaker: true))
      }
    }
    if !end.isToMany {
      book.graph.set(end, of: owner, to: connection.members.last, model)
      return
    }
    var members: [ID] = []
    for member in connection.members where !members.contains(member) { members.append(member) }
    if end.isOrdered, !connection.isExact, touches {
      members += (book.graph.objects[owner]?.many[end.name] ?? []).filter { !members.contains($0) }
    }
    if connection.isExact || (end.isOrdered && touches) {
      for member in book.graph.objects[owner]?.many[end.name] ?? [] where !members.contains(member) {
        book.graph.remove(member, from: end, of: owner, model)
      }
    }
    for member in members { book.graph.add(member, to: end, of: owner, model) }
    if end.isOrdered, touches { book.graph.objects[owner]?.many[end.name] = members }
  }

  /// Objects that lose a link where the model limits how many they have.
  func losers(_ connection: Connection, _ book: Book) -> [(ID, String)] {
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
  func countFailures(_ book: Book, touches: [Touch]) -> [Int] {
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
}
