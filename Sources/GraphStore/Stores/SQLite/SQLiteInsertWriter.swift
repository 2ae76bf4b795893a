import GraphStoreSQLite

/// Writes the inserted rows of a save: runs of one entity by a statement that takes many rows, the rest of a
/// run one by one. An entity needs two statements at most, however many rows there are.
struct SQLiteInsertWriter {
  /// Form in which an entity's rows are written.
  private struct Form {
    let single: SQLiteStatement
    let binder: SQLiteColumnBinder
    /// Parameters of a row: its key and its columns.
    let width: Int
    /// Rows of the statement that takes many.
    let rows: Int
    var many: SQLiteStatement?
  }

  /// Rows of one statement: more save hardly any work, and use more memory.
  static let rowLimit = 32
  /// Parameters of one statement that every build of SQLite takes.
  private static let parameterLimit = 999

  private let session: SQLiteWriteSession
  private let save: SaveRequest

  init(_ session: SQLiteWriteSession, _ save: SaveRequest) {
    self.session = session
    self.save = save
  }

  func run() throws {
    var forms = [Form?](repeating: nil, count: session.schema.entities.count)
    defer {
      for form in forms {
        guard let form else { continue }
        session.connection.recycle(form.single)
        if let many = form.many { session.connection.recycle(many) }
      }
    }
    var start = 0
    while start < save.insertions.count {
      let layout = save.insertions[start].row.layout
      var end = start + 1
      while end < save.insertions.count, save.insertions[end].row.layout === layout { end += 1 }
      var form = try forms[layout.index] ?? prepare(layout)
      defer { forms[layout.index] = form }
      try insert(start..<end, of: layout, by: &form)
      start = end
    }
  }

  private func prepare(_ layout: EntityLayout) throws -> Form {
    let entity = session.schema.entities[layout.index]
    let columns = session.statements.writtenColumns(entity, withDerived: save.isCopy)
    let binder = SQLiteColumnBinder(
      layout: layout, columns: columns, firstParameter: 2, schema: session.schema, keys: save.permanentKeys,
      externalData: session.externalData)
    return Form(
      single: try session.connection.statement(insertStatement(entity, rows: 1)), binder: binder,
      width: columns.count + 1, rows: min(Self.rowLimit, Self.parameterLimit / (columns.count + 1)))
  }

  private func insert(_ run: Range<Int>, of layout: EntityLayout, by form: inout Form) throws {
    var position = run.lowerBound
    if form.rows > 1, run.count >= form.rows {
      let many = try form.many ?? many(layout, form)
      form.many = many
      while position + form.rows <= run.upperBound {
        for offset in 0..<form.rows {
          try bind(
            save.insertions[position + offset], to: many, with: form.binder, offset: offset * form.width)
        }
        try step(many, position)
        position += form.rows
      }
    }
    for position in position..<run.upperBound {
      try bind(save.insertions[position], to: form.single, with: form.binder, offset: 0)
      try step(form.single, position)
    }
  }

  private func many(_ layout: EntityLayout, _ form: Form) throws -> SQLiteStatement {
    let entity = session.schema.entities[layout.index]
    return try session.connection.statement(insertStatement(entity, rows: form.rows))
  }

  private func insertStatement(_ entity: SQLEntity, rows: Int) -> String {
    session.statements.insert(entity, rows: rows, isCopy: save.isCopy)
  }

  @inline(__always)
  private func bind(
    _ insertion: SaveRequest.Insertion, to statement: SQLiteStatement, with binder: SQLiteColumnBinder,
    offset: Int
  ) throws {
    try statement.bind(insertion.key, at: offset + 1)
    try binder.bind(insertion.row, to: statement, offset: offset)
  }

  /// - Parameter position: The position of the statement's first row.
  @inline(__always)
  private func step(_ statement: SQLiteStatement, _ position: Int) throws {
    do {
      try statement.run()
    } catch let error where error.category == .unique {
      throw conflict(error, position)
    }
  }

  /// Rows before the one that failed have been counted as changes.
  private func conflict(_ error: SQLiteError, _ position: Int) -> GraphStoreError {
    let failed = min(position + session.connection.changes, save.insertions.count - 1)
    let insertion = save.insertions[failed]
    return session.constraintConflict(error, insertion.row, key: insertion.key)
  }
}
