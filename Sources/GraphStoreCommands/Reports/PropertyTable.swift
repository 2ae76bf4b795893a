import GraphStore

/// Result of one record, whose names and values belong to no object.
struct PropertyTable: ResultTask {
  static let showsObjects = false
  private var rows: [(name: String, value: Value)] = []

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

/// Result of records of a name and a value.
struct PropertyList: ResultTask {
  static let showsObjects = false
  var rows: [(name: String, value: Value)]
  /// The names of the two columns.
  var names = ("key", "value")

  func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(writer, EntityLabels())
    writer.begin(columns: [OutputColumn(names.0), OutputColumn(names.1)])
    for row in rows {
      writer.beginRow()
      writer.text(row.name)
      visitor.show(row.value)
      try writer.endRow()
    }
    try writer.end()
  }
}
