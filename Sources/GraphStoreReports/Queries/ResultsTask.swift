import GraphStore

/// Result of a request for dictionaries, written row by row.
package struct ResultsTask: ResultTask {
  /// Rows are groups or values.
  package static var showsObjects: Bool { false }

  let context: ManagedObjectContext
  let query: EntityQuery
  let interruption: StatementInterruption
  private let columns: [OutputColumn]
  /// For each column whether its values are archives of transformable attributes.
  private let archives: [Bool]
  /// Whether archives are shown as the values that they hold.
  private let decodes: Bool

  /// The result of a query for dictionaries, whose columns are found now.
  package init(
    _ query: EntityQuery, _ context: ManagedObjectContext, interruption: StatementInterruption, decodes: Bool
  ) throws {
    self.context = context
    self.query = query
    self.interruption = interruption
    self.decodes = decodes
    let found = try query.run { try context.resultColumns(of: $0) }
    columns = found.map { OutputColumn($0.name, of: $0.type) }
    archives = found.map { $0.attribute?.type == .transformable }
  }

  /// Writes the rows in a format.
  package func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws -> Int {
    try run(as: format, to: output, options: options)
  }

  /// - Returns: the number of rows.
  package func run(_ writer: some ResultWriter) throws -> Int {
    var visitor = CellVisitor(
      writer, EntityLabels(ambiguous: context.coordinator.ambiguousEntityNames), decodes: decodes)
    var count = 0
    writer.begin(columns: columns)
    if !query.isEmpty {
      try query.run { request in
        try context.enumerateResults(request) { row in
          try interruption.check()
          writer.beginRow()
          for field in columns.indices {
            if decodes { visitor.decodesArchives = archives[field] }
            row.visit(field, &visitor)
          }
          try writer.endRow()
          count += 1
        }
      }
    }
    try writer.end()
    return count
  }
}
