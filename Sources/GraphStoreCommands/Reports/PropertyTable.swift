import GraphStore

/// Result of one record, whose names and values belong to no object.
struct PropertyTable: ResultTask {
  static let showsObjects = false
  fileprivate var rows: [(name: String, value: Value)] = []

  mutating func add(_ name: String, _ value: Value) { rows.append((name, value)) }

  func run(_ writer: some ResultWriter) throws {
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
struct PropertyTables: ResultTask {
  static let showsObjects = false
  let tables: [PropertyTable]
  let format: OutputFormat

  func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(writer, EntityLabels())
    var names: [String] = []
    for row in tables.flatMap(\.rows) where !names.contains(row.name) { names.append(row.name) }
    if !format.namesKeysOfRecords { writer.begin(columns: names.map { OutputColumn($0) }) }
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
struct PropertyLines: ResultTask {
  static let showsObjects = false
  var rows: [(name: String, value: Value)]
  /// The names of the two columns.
  var names = ("key", "value")
  /// The type of all values, where they have one.
  var valueType: ExpressionType?

  func run(_ writer: some ResultWriter) throws {
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
