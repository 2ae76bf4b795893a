import GraphStore

/// Result of one record, whose names and values belong to no object.
package struct PropertyTable: ResultTask {
  /// Rows are no objects.
  package static let showsObjects = false
  fileprivate var rows: [(name: String, value: Value)] = []

  /// A record without properties, to which they are added.
  package init() {}

  /// A record of values in the order of their names.
  package init(names: [String], values: [Value]) { rows = zip(names, values).map { ($0, $1) } }

  /// Adds a property behind the others.
  package mutating func add(_ name: String, _ value: Value) { rows.append((name, value)) }

  /// Writes the rows in a format.
  package func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws {
    try run(as: format, to: output, options: options)
  }

  /// Writes the rows.
  package func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(writer, EntityLabels())
    writer.begin(columns: rows.map { OutputColumn($0.name) })
    writer.beginRow()
    for row in rows { visitor.show(row.value) }
    try writer.endRow()
    try writer.end()
  }
}

/// Result of several records of properties, which need not have the same ones.
///
/// Where every record names its keys each shows its own; a table has the columns of all.
package struct PropertyTables: ResultTask {
  /// Rows are no objects.
  package static let showsObjects = false
  let tables: [PropertyTable]
  let names: [String]
  let format: OutputFormat

  /// The records in an order, for a format.
  ///
  /// - Parameter names: The names of properties that come first; those of all, where there may be no record.
  package init(tables: [PropertyTable], names: [String] = [], format: OutputFormat) {
    self.tables = tables
    self.names = names
    self.format = format
  }

  /// Writes the rows in a format.
  package func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws {
    try run(as: format, to: output, options: options)
  }

  /// Writes the rows.
  package func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(writer, EntityLabels())
    var names = names
    for row in tables.flatMap(\.rows) where !names.contains(row.name) { names.append(row.name) }
    if !format.namesKeysOfRecords || tables.isEmpty { writer.begin(columns: names.map { OutputColumn($0) }) }
    for table in tables {
      if format.namesKeysOfRecords {
        names = table.rows.map(\.name)
        writer.begin(columns: names.map { OutputColumn($0) })
      }
      writer.beginRow()
      for name in names { visitor.show(table.rows.first { $0.name == name }?.value ?? .null) }
      try writer.endRow()
    }
    try writer.end()
  }
}

/// Result of records of a name and a value.
package struct PropertyLines: ResultTask {
  /// Rows are no objects.
  package static let showsObjects = false
  var rows: [(name: String, value: Value)]
  /// The names of the two columns.
  var names = ("key", "value")
  /// The type of all values, where they have one.
  var valueType: ExpressionType?

  /// Records under two names, of values that may have one type.
  package init(
    rows: [(name: String, value: Value)], names: (String, String) = ("key", "value"),
    valueType: ExpressionType? = nil
  ) {
    self.rows = rows
    self.names = names
    self.valueType = valueType
  }

  /// Writes the rows in a format.
  package func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws {
    try run(as: format, to: output, options: options)
  }

  /// Writes the rows.
  package func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(writer, EntityLabels())
    let values = valueType.map { OutputColumn(names.1, of: $0) } ?? OutputColumn(names.1)
    writer.begin(columns: [OutputColumn(names.0), values])
    for row in rows {
      writer.beginRow()
      writer.text(row.name)
      visitor.show(row.value)
      try writer.endRow()
    }
    try writer.end()
  }
}
