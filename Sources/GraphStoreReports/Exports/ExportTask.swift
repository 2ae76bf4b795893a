import GraphStore

/// Result of an export: the objects of one section after the other, record by record, as they come from the
/// store.
package struct ExportTask: ResultTask {
  let context: ManagedObjectContext
  let sections: [ExportSection]
  let interruption: StatementInterruption
  /// Whether archives are written as the values that they hold.
  let decodes: Bool

  /// An export of some sections, one after the other.
  package init(
    context: ManagedObjectContext, sections: [ExportSection], interruption: StatementInterruption,
    decodes: Bool
  ) {
    self.context = context
    self.sections = sections
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
      let object = try context.object(with: row.objectID)
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
    visitor.beginRow(row)
    for field in form.fields {
      switch field {
      case .entity: writer.text(row.entityName)
      case .identifier: visitor.reference(row.entityName, row.key)
      case .keyPath(let place):
        if decodes { visitor.decodesArchives = form.archives[place] }
        row.visit(positions?[place] ?? place, &visitor)
      case .members(let number):
        visitor.beginList()
        try showMembers(of: number, in: form.entity, row: row, &visitor)
        visitor.endList()
      }
    }
    try writer.endRow()
  }

  /// Shows the members as they are in memory where there are unsaved changes, else as they are stored.
  private func showMembers(
    of number: Int, in entity: EntityDescription, row: some FieldRow, _ visitor: inout some FieldVisitor
  ) throws {
    guard context.hasChanges else {
      return try context.enumerateStoredMembers(
        ofProperty: number, entityAt: entity.index, of: row.objectID
      ) { visitor.reference($0, $1) }
    }
    let object = try context.object(with: row.objectID)
    for member in try object.objects(forKey: entity.properties[number].name) {
      visitor.reference(member.objectID)
    }
  }
}
