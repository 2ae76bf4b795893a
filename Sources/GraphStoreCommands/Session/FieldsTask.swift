import GraphStore

/// Writes what a request selects, record by record, without objects being made.
struct FieldsTask: ResultTask {
  let context: ManagedObjectContext
  let query: EntityQuery
  let columns: ResultColumns
  let interruption: Interruption

  /// - Returns: the number of records.
  func run(_ writer: some ResultWriter) throws -> Int {
    var visitor = CellVisitor(writer, EntityLabels())
    var count = 0
    writer.begin(columns: columns.columns)
    if !query.isEmpty {
      try query.run { request in
        try context.enumerateFields(request, columns.keyPaths) { row in
          try interruption.check()
          try columns.write(row, &visitor)
          count += 1
        }
      }
    }
    try writer.end()
    return count
  }
}

/// Writes objects that are at hand.
struct ObjectsTask: ResultTask {
  let context: ManagedObjectContext
  let objects: [ManagedObject]
  private let columns: [ObjectIdentifier: ResultColumns]
  private let header: [OutputColumn]

  /// Objects may be of several entities; without `fields` each shows what it has of the columns of all.
  init(
    _ objects: [ManagedObject], _ context: ManagedObjectContext, fields: String?, format: OutputFormat
  ) throws {
    self.objects = objects
    self.context = context
    var columns: [ObjectIdentifier: ResultColumns] = [:]
    var header: [OutputColumn] = []
    for object in objects where columns[ObjectIdentifier(object.entity)] == nil {
      let own = try ResultColumns(object.entity, fields: fields, format: format)
      columns[ObjectIdentifier(object.entity)] = own
      header += own.columns.filter { column in !header.contains { $0.name == column.name } }
    }
    self.columns = columns.mapValues { $0.arranged(as: header) }
    self.header = header
  }

  func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(writer, EntityLabels())
    writer.begin(columns: header)
    for object in objects {
      guard let columns = columns[ObjectIdentifier(object.entity)] else { continue }
      try columns.write(try context.fields(of: object, columns.keyPaths), &visitor)
    }
    try writer.end()
  }
}

extension ResultColumns {
  /// Writes one record.
  func write<Writer: ResultWriter>(_ row: some FieldRow, _ visitor: inout CellVisitor<Writer>) throws {
    let writer = visitor.writer
    writer.beginRow(visitor.labels.label(row.entityName), key: row.key < 0 ? -row.key : row.key)
    for field in fields {
      switch field {
      case Self.identifier: visitor.reference(row.entityName, row.key)
      case Self.absent: writer.null()
      default: row.visit(field, &visitor)
      }
    }
    try writer.endRow()
  }
}
