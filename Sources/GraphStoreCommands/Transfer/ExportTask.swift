import GraphStore

/// Result of an export: the objects of one section after the other, record by record, as they come from the store.
struct ExportTask: ResultTask {
  let context: ManagedObjectContext
  let sections: [ExportSection]
  let interruption: Interruption

  /// - Returns: the number of records.
  func run(_ writer: some ResultWriter) throws -> Int {
    var visitor = CellVisitor(writer, EntityLabels())
    var count = 0
    for section in sections {
      var entity = section.common.form.entity
      writer.begin(columns: section.common.form.columns)
      guard !section.query.isEmpty else { continue }
      try section.query.run { request in
        try context.enumerateFields(request, keyPaths: section.keyPaths) { row in
          try interruption.check()
          let placed = section.placed(row.entityName)
          if placed.form.entity !== entity {
            entity = placed.form.entity
            writer.begin(columns: placed.form.columns)
          }
          try write(row, placed: placed, visitor: &visitor)
          count += 1
        }
      }
    }
    try writer.end()
    return count
  }

  private func write<Writer: ResultWriter>(
    _ row: some FieldRow, placed: ExportSection.Placed, visitor: inout CellVisitor<Writer>
  ) throws {
    guard let positions = placed.positions else {
      guard let object = context.knownObject(entityAt: placed.form.entity.index, key: row.key) else { return }
      return try write(
        try context.fields(of: object, keyPaths: placed.form.keyPaths), form: placed.form, positions: nil,
        visitor: &visitor)
    }
    try write(row, form: placed.form, positions: positions, visitor: &visitor)
  }

  private func write<Writer: ResultWriter>(
    _ row: some FieldRow, form: ExportForm, positions: [Int]?, visitor: inout CellVisitor<Writer>
  ) throws {
    let writer = visitor.writer
    writer.beginRow(visitor.labels.label(row.entityName), key: row.key < 0 ? -row.key : row.key)
    for field in form.fields {
      switch field {
      case .entity: writer.text(row.entityName)
      case .identifier: visitor.reference(row.entityName, row.key)
      case .keyPath(let place): row.visit(positions?[place] ?? place, &visitor)
      case .members(let number):
        visitor.beginList()
        try forEachMember(of: number, in: form.entity, row: row) { visitor.reference($0, $1) }
        visitor.endList()
      }
    }
    try writer.endRow()
  }

  /// The members as they are in memory where there are unsaved changes, else as they are stored.
  private func forEachMember(
    of number: Int, in entity: EntityDescription, row: some FieldRow, _ receive: (String, Int64) -> Void
  ) throws {
    guard context.hasChanges else {
      return try context.enumerateStoredMembers(
        ofProperty: number, entityAt: entity.index, key: row.key, receive)
    }
    let own = entity.model.entitiesByName[row.entityName] ?? entity
    guard let object = context.knownObject(entityAt: own.index, key: row.key) else { return }
    for member in try object.objects(forKey: entity.properties[number].name) {
      let (name, key) = member.numberedName
      receive(name, key)
    }
  }
}
