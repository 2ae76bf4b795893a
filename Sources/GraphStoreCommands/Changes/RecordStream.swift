import GraphStore
import GraphStoreReports

/// Records that `insert` and `upsert` make objects of: the values of their words, or with `-` one JSON object
/// a line of standard input.
///
/// All of it is read before the change begins: whoever writes the input may take his time, and others may
/// write to the store meanwhile.
struct RecordStream {
  private enum Content {
    case words([Assignment])
    case records([(line: Int, source: [UInt8])])
  }

  private let content: Content

  /// - Parameter words: values, or `-` alone.
  init(_ words: [String]) throws {
    SaveProgress.begin()
    content = words == ["-"] ? .records(try Self.records()) : .words(try Assignment.list(words))
  }

  /// Whether there may be several records.
  var isOfRecords: Bool { if case .records = content { true } else { false } }

  private static func records() throws -> [(line: Int, source: [UInt8])] {
    let reader = try RecordReaders.open(path: "-", format: .ndjson)
    var records: [(line: Int, source: [UInt8])] = []
    do {
      while let record = try reader.next() { unsafe records.append((record.line, Array(record.source))) }
    } catch {
      throw located(error, reader.record.line)
    }
    return records
  }

  /// Makes an object of the words or of each record, within a change.
  func objects(
    of entity: EntityDescription, by writer: ChangeWriter, making make: (ObjectDraft) throws -> ManagedObject
  ) throws -> [ManagedObject] {
    switch content {
    case .words(let assignments):
      let changes = try ChangeReader(writer.session, into: writer.store).changes(assignments, entity)
      return [try make(ObjectDraft(entity: entity, changes: changes))]
    case .records(let records):
      var reader = ChangeReader(writer.session, into: writer.store)
      defer { Self.warnOfStoredLabel(among: reader.labels, in: writer) }
      return try records.compactMap { record in
        try writer.session.interruption.check()
        writer.origins.line = record.line
        defer { writer.origins.line = nil }
        do {
          return try Self.object(record.source, entity: entity, reader: &reader, make)
        } catch {
          throw Self.located(error, record.line)
        }
      }
    }
  }

  /// Says that records with ids of stored objects have become new objects, by one such id.
  private static func warnOfStoredLabel(among labels: [String: ManagedObject], in writer: ChangeWriter) {
    let coordinator = writer.context.coordinator
    let label = labels.lazy.filter {
      $0.value.isInserted && coordinator.managedObjectID(forShortForm: $0.key) != nil
    }
    .map(\.key).min()
    // One is looked for: they come from one place.
    guard let label, let id = coordinator.managedObjectID(forShortForm: label),
      (try? writer.context.existingObject(with: id)) != nil
    else { return }
    writer.session.report(.idsAreLabels(label))
  }

  /// A record's `id`, if it has one, names the object for the records behind it.
  private static func object(
    _ source: [UInt8], entity: EntityDescription, reader: inout ChangeReader,
    _ make: (ObjectDraft) throws -> ManagedObject
  ) throws -> ManagedObject? {
    guard case .object(let members) = try JSONText.value(source) else { return nil }
    let named = try reader.entity(of: members, entity)
    var draft = ObjectDraft(entity: named, changes: try reader.changes(members, named))
    for (key, value) in members where named.isIdentifierKey(key) {
      if case .string(let label) = value { draft.label = label }
    }
    let object = try make(draft)
    if let label = draft.label { reader.labels[label] = object }
    return object
  }

  private static func located(_ error: any Error, _ line: Int) -> any Error {
    var diagnostic = DiagnosticMapper.diagnostic(for: error)
    diagnostic.location = Diagnostic.Location(file: "<stdin>", line: line)
    if diagnostic.exitCode == .usage { diagnostic.exitCode = .dataError }
    return diagnostic
  }
}

/// Map from new and changed objects to their lines in the input, so that what a save says of an object can be
/// found.
final class RecordOrigins {
  /// The line that is being read; nil outside of records.
  var line: Int?
  private var lines: [ManagedObjectID: Int] = [:]

  func record(_ object: ManagedObject) {
    if let line { lines[object.objectID] = line }
  }

  /// An error of a save with the line that it is about, and without identifiers that nothing has been given.
  func locate(_ error: any Error) -> any Error {
    guard let error = error as? GraphStoreError else { return error }
    if !error.errors.isEmpty {
      var several = error
      for index in several.errors.indices {
        let part = named(several.errors[index])
        several.errors[index] = part
        if let line = line(of: part) { several.errors[index].message = "line \(line): \(part.message)" }
      }
      return several
    }
    let named = named(error)
    guard let line = line(of: named) else { return named }
    var diagnostic = DiagnosticMapper.diagnostic(for: named)
    diagnostic.location = Diagnostic.Location(file: "<stdin>", line: line)
    return diagnostic
  }

  private func line(of error: GraphStoreError) -> Int? { error.objectID.flatMap { lines[$0] } }

  private func named(_ error: GraphStoreError) -> GraphStoreError {
    guard error.code == .constraintConflict else { return error }
    var conflict = error
    conflict.details = error.relatedObjects.map { id in
      if let line = lines[id] { return "line \(line) has it" }
      return id.isTemporaryID ? "another new \(id.entity.name) has it" : "\(id.shortForm) has it"
    }
    return conflict
  }
}
