import GraphStore

/// Records on standard input for `insert -` and `upsert -`: one JSON object a line.
struct RecordStream {
  private let session: CommandSession

  init(_ session: CommandSession) { self.session = session }

  /// Makes an object of the values, or one of each record where they are `-`.
  static func objects(
    of values: [String], _ entity: EntityDescription, in session: CommandSession,
    _ make: (ObjectDraft) throws -> ManagedObject
  ) throws -> [ManagedObject] {
    guard values == ["-"] else {
      let changes = try ChangeReader(session).changes(values, entity)
      return [try make(ObjectDraft(entity: entity, changes: changes))]
    }
    var objects: [ManagedObject] = []
    try RecordStream(session).forEach(entity) { draft in
      let object = try make(draft)
      objects.append(object)
      return object
    }
    return objects
  }

  /// Hands over each record; its own id, if it gives one, names the object for the records behind it.
  private func forEach(_ entity: EntityDescription, _ body: (ObjectDraft) throws -> ManagedObject) throws {
    let reader = try RecordReaders.open(path: "-", format: .ndjson)
    var changes = ChangeReader(session)
    while let record = try reader.next() {
      do {
        let value = try JSONText.value(record.source)
        guard case .object(let members) = value else { continue }
        let named = try changes.entity(of: members, entity)
        let object = try body(ObjectDraft(entity: named, changes: try changes.changes(members, named)))
        for (key, value) in members where named.isIdentifierKey(key) {
          if case .string(let label) = value { changes.labels[label] = object }
        }
      } catch {
        var diagnostic = DiagnosticMapper.diagnostic(for: error)
        diagnostic.location = Diagnostic.Location(file: "<stdin>", line: record.line)
        if diagnostic.exitCode == .usage { diagnostic.exitCode = .dataError }
        throw diagnostic
      }
    }
  }
}
