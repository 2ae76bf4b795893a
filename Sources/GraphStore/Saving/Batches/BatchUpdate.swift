import Foundation
import GraphStoreModel
import GraphStorePredicates

/// A batch update, checked against the model: by one statement a store where it can be, else row by row.
struct BatchUpdate {
  /// A new value that is computed from each record.
  private struct Computation {
    let property: PropertyLayout
    let expression: QueryExpression
    let evaluator: ExpressionEvaluator
  }

  private let request: BatchUpdateRequest
  private let run: BatchRun
  private let fetch: ManagedObjectContext.PreparedFetch
  /// The stores that are written.
  let mounts: [Mount]
  /// The new values that are the same for all, by the attributes of the entity.
  private var constants: [(property: PropertyLayout, value: Any?)] = []
  private var computations: [Computation] = []
  private let template: RowTemplate

  /// - Throws: `invalid-request` without properties; `unknown-key`, `invalid-property`; as setting and
  ///   validating the values, and checking the predicate and the expressions; nothing has been read then.
  init(_ request: BatchUpdateRequest, _ run: BatchRun) throws {
    self.request = request
    self.run = run
    guard !request.propertiesToUpdate.isEmpty else {
      throw GraphStoreError(
        .invalidRequest, "A batch update of \(request.entityName) has no properties to update.",
        remedy: "Name at least one attribute and its value.", entity: request.entityName)
    }
    var selection = FetchRequest(
      entityName: request.entityName, predicate: request.predicate,
      includesSubentities: request.includesSubentities)
    (selection.variables, selection.affectedStores) = (request.variables, request.affectedStores)
    let fetch = try run.reader.prepare(selection)
    self.fetch = fetch
    mounts = run.reader.mounts(for: fetch)
    template = RowTemplate(fetch.entity, in: run.reader)
    for (key, value) in request.propertiesToUpdate.sorted(by: { $0.key < $1.key }) {
      let property = try template.attribute(key)
      if let expression = value as? QueryExpression {
        computations.append(try computation(property, expression))
      } else {
        constants.append((property, value))
      }
    }
    template.beginDefaults()
    try checkConstants()
  }

  private func computation(_ property: PropertyLayout, _ expression: QueryExpression) throws -> Computation {
    guard property.kind != .composite else {
      throw GraphStoreError(
        .invalidProperty,
        "\(fetch.entity.entity.name).\(property.name) is composite and no expression has its value.",
        remedy: "Give a dictionary of its elements.", entity: fetch.entity.entity.name,
        property: property.name)
    }
    var checker = PredicateTypeChecker(entity: fetch.entity.entity) {
      [coordinator = run.context.coordinator] in
      coordinator.objectReference($0)
    }
    (checker.now, checker.functions) = (fetch.request.now, fetch.request.functions)
    let checked = try checker.check(expression.substituting(request.variables)).expression
    return Computation(
      property: property, expression: checked,
      evaluator: try ExpressionEvaluator(checked, options: fetch.request.evaluation))
  }

  /// The values that are the same for all are checked once.
  private func checkConstants() throws {
    for (property, value) in constants { try template.set(value, of: property) }
    let (row, changed) = try template.end()
    let failures = try template.failures(row, among: changed, isWhole: request.validates)
    if let error = GraphStoreError.combining(failures) { throw error }
  }

  // MARK: Writing

  func write(to mount: Mount) throws {
    let session = try run.session(mount)
    // Rules of the model are evaluated over rows.
    if computations.isEmpty || !request.validates, let outcome = try session.write(setUpdate(of: mount)) {
      switch outcome {
      case .records(let record): return try end(record, on: mount)
      case .count(let count): return run.end(count, ofTree: fetch.entity.rootIndex, on: mount)
      }
    }
    let save = try rows(of: mount, session)
    guard !save.updates.isEmpty else { return }
    guard case .written(let rows) = try session.write(save) else {
      throw GraphStoreError.changedWithinTransaction(mount)
    }
    try end(session.finish(rows), on: mount)
  }

  private func setUpdate(of mount: Mount) throws -> SetUpdate {
    let (row, given) = try template.end()
    var changed = given
    for computation in computations { changed.insert(computation.property.number) }
    return SetUpdate(
      request: fetch.request.storeRequest(.identifiers), values: row,
      computed: computations.map {
        SetUpdate.Computed(property: $0.property, expression: $0.expression)
      },
      changed: changed, save: run.makeSaveRequest(),
      needsKeys: try run.needsKeys(ofTree: fetch.entity.rootIndex, on: mount))
  }

  private func end(_ record: CommitRecord, on mount: Mount) throws {
    let (sets, rows) = (record.sets.updated, record.request.updates)
    try run.end(
      record, on: mount, count: sets.reduce(rows.count) { $0 + $1.keys.count },
      objects: sets.flatMap { set in set.keys.map { ObjectKey(entity: set.layout.index, key: $0) } }
        + rows.map { ObjectKey(entity: $0.row.layout.index, key: $0.key) })
  }

  /// The rows with their new values, of what the request selects.
  private func rows(of mount: Mount, _ session: any WriteSession) throws -> SaveRequest {
    var save = run.makeSaveRequest()
    let reader = run.reader
    let source = SnapshotRecord.Source(session, reader.coordinator.layout, mount.scope)
    var templates: [Int: RowTemplate] = [:]
    let paths = RequestDependencies(
      fetch.entity.entity, nil, shown: computations.map(\.expression)
    ).paths
    try reader.mergedRows(reader.prepared(fetch, on: mount), [mount], nil) { found, _ in
      save.updates.reserveCapacity(found.count)
      let records = found.compactMap { found in
        found.row.map { SnapshotRecord(of: source, layout: $0.layout, key: found.id.key, row: $0) }
      }
      try source.forEach(of: records, prefetching: paths) { record in
        guard let row = record.row else { return }
        let template = templates[row.layout.index] ?? RowTemplate(row.layout, in: reader)
        templates[row.layout.index] = template
        template.begin(copying: row)
        do {
          save.updates.append(try update(record, row, record.key, by: template))
        } catch let error as GraphStoreError {
          throw error.located(at: record.identifier)
        }
      }
    }
    save.updates.sort { ($0.row.layout.rootIndex, $0.key) < ($1.row.layout.rootIndex, $1.key) }
    return save
  }

  private func update(
    _ record: SnapshotRecord, _ row: Row, _ key: Int64, by template: RowTemplate
  ) throws -> SaveRequest.Update {
    for (property, value) in constants {
      try template.set(value, of: template.layout.properties[property.number])
    }
    // All read the former row: they see the values before the update.
    for computation in computations {
      let value = try computation.evaluator.value(for: .source(record))
      try template.set(
        computation.property.attribute.map { $0.rounded(value) } ?? value,
        of: template.layout.properties[computation.property.number])
    }
    let (new, changed) = try template.end()
    let failures = try template.failures(new, among: changed, isWhole: request.validates)
    if let error = GraphStoreError.combining(failures) { throw error }
    return SaveRequest.Update(row: new, key: key, committed: row, changed: changed)
  }
}

extension AttributeDescription {
  /// A computed number without the fraction that an integer attribute does not hold, as of a derived value.
  fileprivate func rounded(_ value: Value) -> Value {
    switch (type, value) {
    case (.int16, .double(let number)), (.int32, .double(let number)), (.int64, .double(let number)):
      .double(number.rounded(.towardZero))
    case (.int16, .decimal(let number)), (.int32, .decimal(let number)), (.int64, .decimal(let number)):
      .decimal(number.truncated)
    default: value
    }
  }
}

extension Decimal {
  /// The number without its fraction.
  fileprivate var truncated: Decimal {
    var (number, whole) = (self, Decimal())
    unsafe NSDecimalRound(&whole, &number, 0, isSignMinus ? .up : .down)
    return whole
  }
}

extension GraphStoreError {
  /// The error with the record that it is about, in place of the object by which its values were set.
  fileprivate func located(at id: ManagedObjectID) -> GraphStoreError {
    var error = self
    error.objectID = id
    error.message = "\(id.shortForm): \(message)"
    error.errors = errors.map { $0.located(at: id) }
    return error
  }
}
