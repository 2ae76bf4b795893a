import GraphStore

/// Result of a fetch request, written record by record without objects being made.
package struct FieldsTask: ResultTask {
  let context: ManagedObjectContext
  let query: EntityQuery
  let columns: ResultColumns
  let interruption: StatementInterruption
  /// Whether archives are shown as the values that they hold.
  let decodes: Bool

  /// The result of a query, with what is shown of each object.
  package init(
    context: ManagedObjectContext, query: EntityQuery, columns: ResultColumns,
    interruption: StatementInterruption, decodes: Bool
  ) {
    self.context = context
    self.query = query
    self.columns = columns
    self.interruption = interruption
    self.decodes = decodes
  }

  /// Writes the rows in a format.
  package func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws -> Int {
    try run(as: format, to: output, options: options)
  }

  /// - Returns: the number of records.
  package func run(_ writer: some ResultWriter) throws -> Int {
    var visitor = CellVisitor(
      writer, EntityLabels(ambiguous: context.coordinator.ambiguousEntityNames), decodes: decodes)
    var count = 0
    writer.begin(columns: columns.columns)
    if !query.isEmpty {
      try query.run { request in
        try context.enumerateFields(request, keyPaths: columns.keyPaths) { row in
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

/// Result of objects that are at hand, which may be of several entities.
///
/// Where every record names its keys each object shows those of its entity; a table has the columns of all.
package struct ObjectsTask: ResultTask {
  let context: ManagedObjectContext
  let objects: [ManagedObject]
  /// Shows related objects in place of their ids; nil where they stay ids.
  private let trees: ObjectTreeReader?
  private let decodes: Bool
  private let columns: [ObjectIdentifier: ResultColumns]
  /// The columns of the table; nil where records name their keys.
  private let header: [OutputColumn]?

  /// The result of objects in their order, with the fields that a list names.
  package init(
    _ objects: [ManagedObject], _ context: ManagedObjectContext, fields: String?,
    trees: ObjectTreeReader? = nil,
    format: OutputFormat, decodes: Bool, showsIdentifier: Bool = true
  ) throws {
    self.decodes = decodes
    self.objects = objects
    self.context = context
    self.trees = trees
    let isTable = !format.namesKeysOfRecords
    let sharedKey = EntityDescription.identifierKey(of: objects.map(\.entity))
    var columns: [ObjectIdentifier: ResultColumns] = [:]
    var header: [OutputColumn] = []
    for object in objects where columns[ObjectIdentifier(object.entity)] == nil {
      let own = try ResultColumns(
        object.entity, in: context.coordinator, fields: fields, includesToMany: trees != nil, format: format,
        identifierKey: isTable ? sharedKey : nil, showsIdentifier: showsIdentifier)
      columns[ObjectIdentifier(object.entity)] = own
      header += own.columns.filter { column in !header.contains { $0.name == column.name } }
    }
    // Objects of one entity keep the columns as they were asked for, a column that is asked for twice
    // included.
    if let own = columns.first?.value, columns.count == 1 { header = own.columns }
    self.columns = isTable && columns.count > 1 ? columns.mapValues { $0.arranged(as: header) } : columns
    self.header = isTable ? header : nil
  }

  /// Writes the rows in a format.
  package func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws {
    try run(as: format, to: output, options: options)
  }

  /// Writes the rows.
  package func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(
      writer, EntityLabels(ambiguous: context.coordinator.ambiguousEntityNames), decodes: decodes)
    var treeVisitor = ObjectTreeVisitor(visitor)
    var trees = trees
    var entity: EntityDescription?
    writer.begin(columns: header ?? [])
    for object in objects {
      guard let columns = columns[ObjectIdentifier(object.entity)] else { continue }
      if header == nil, object.entity !== entity {
        entity = object.entity
        writer.begin(columns: columns.columns)
      }
      if let tree = try trees?.tree(of: object, columns: columns) {
        try treeVisitor.write(tree)
      } else {
        try columns.write(try context.fields(of: object, keyPaths: columns.keyPaths), &visitor)
      }
    }
    try writer.end()
  }
}

extension ResultColumns {
  /// Writes one record.
  ///
  /// Inlined, so that the visitor's type is known: as a generic function it looks its metadata up once a
  /// value.
  @inline(__always)
  func write<Writer: ResultWriter>(_ row: some FieldRow, _ visitor: inout CellVisitor<Writer>) throws {
    let writer = visitor.writer
    visitor.beginRow(row)
    for field in fields {
      switch field {
      case Self.identifier: visitor.reference(row.entityName, row.key)
      case Self.absent: writer.null()
      default:
        if visitor.decodes { visitor.decodesArchives = archives[field] }
        row.visit(field, &visitor)
      }
    }
    try writer.endRow()
  }
}
