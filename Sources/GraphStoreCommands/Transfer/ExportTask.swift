import GraphStore

/// Writes the objects of one entity after the other, record by record, as they come from the store.
struct ExportTask: ResultTask {
  let context: ManagedObjectContext
  let sections: [ExportSection]
  let interruption: Interruption

  /// - Returns: the number of records.
  func run(_ writer: some ResultWriter) throws -> Int {
    var visitor = CellVisitor(writer, EntityLabels())
    var count = 0
    for section in sections {
      writer.begin(columns: section.columns)
      guard !section.query.isEmpty else { continue }
      try section.query.run { request in
        try context.enumerateFields(request, section.keyPaths) { row in
          try interruption.check()
          try write(row, section, &visitor)
          count += 1
        }
      }
    }
    try writer.end()
    return count
  }

  private func write<Writer: ResultWriter>(
    _ row: some FieldRow, _ section: ExportSection, _ visitor: inout CellVisitor<Writer>
  ) throws {
    let writer = visitor.writer
    writer.beginRow(visitor.labels.label(row.entityName), key: row.key < 0 ? -row.key : row.key)
    for field in section.fields {
      switch field {
      case .entity: writer.text(row.entityName)
      case .identifier: visitor.reference(row.entityName, row.key)
      case .keyPath(let position): row.visit(position, &visitor)
      case .members(let number):
        visitor.beginList()
        try eachMember(number, section.query.entity, row.key) { visitor.reference($0, $1) }
        visitor.endList()
      }
    }
    try writer.endRow()
  }

  /// The members as they are in memory where there are unsaved changes, else as they are stored.
  private func eachMember(
    _ number: Int, _ entity: EntityDescription, _ key: Int64, _ receive: (String, Int64) -> Void
  ) throws {
    guard context.hasChanges else {
      return try context.enumerateStoredMembers(ofProperty: number, entityAt: entity.index, key: key, receive)
    }
    guard let object = context.knownObject(entityAt: entity.index, key: key) else { return }
    for member in try object.objects(forKey: entity.properties[number].name) {
      let (name, key) = member.numberedName
      receive(name, key)
    }
  }
}
