import GraphStore

/// Result of records of the same properties that are made while they are written, so that only a few of them
/// are in memory.
package struct RecordSequence<Outcome>: ResultTask {
  /// Rows are no objects.
  package static var showsObjects: Bool { false }
  private let names: [String]
  private let forEach: (_ record: ([Value]) throws -> Void) throws -> Outcome

  /// Records whose values come in the order of the names.
  ///
  /// - Parameter forEach: Hands over each record, and gives what comes of it when all are written.
  package init(
    names: [String], forEach: @escaping (_ record: ([Value]) throws -> Void) throws -> Outcome
  ) {
    self.names = names
    self.forEach = forEach
  }

  /// Writes the rows in a format.
  package func write(
    as format: OutputFormat, to output: OutputBuffer, options: WriterOptions
  ) throws -> Outcome {
    try run(as: format, to: output, options: options)
  }

  /// Writes the rows.
  package func run(_ writer: some ResultWriter) throws -> Outcome {
    var visitor = CellVisitor(writer, EntityLabels())
    writer.begin(columns: names.map { OutputColumn($0) })
    let outcome = try forEach { values in
      writer.beginRow()
      for value in values { visitor.show(value) }
      try writer.endRow()
    }
    try writer.end()
    return outcome
  }
}
