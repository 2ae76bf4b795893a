import GraphStore

/// The lines of the input that new and changed objects come from, so that what a save says of an object can be found.
final class RecordOrigins {
  /// The line that is being read; nil outside of records.
  var line: Int?
  private var lines: [ManagedObjectID: Int] = [:]

  func note(_ object: ManagedObject) {
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
