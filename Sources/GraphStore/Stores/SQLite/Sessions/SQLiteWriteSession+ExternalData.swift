import GraphStoreSQLite

extension SQLiteWriteSession {
  /// Prepares the data of a save, and records the files of values that it is going to replace or delete, with
  /// one statement a column (STO-179).
  func prepareExternalData(_ save: SaveRequest) throws {
    guard let externalData else { return }
    externalData.nameData(of: save)
    for deletion in save.deletions where !deletion.keys.isEmpty {
      for column in schema.entities[deletion.root.index].table.columns where column.isExternal {
        try record(column, of: deletion.keys, externalData)
      }
    }
    for (column, keys) in replacedColumns(save) { try record(column, of: keys, externalData) }
  }

  /// The columns of values that updates change, with the keys of their rows.
  private func replacedColumns(_ save: SaveRequest) -> [(column: SQLColumn, keys: [Int64])] {
    let updates = Dictionary(grouping: save.updates.filter(\.row.layout.hasExternalData)) {
      $0.row.layout.index
    }
    return updates.flatMap { entity, updates in
      statements.writtenColumns(schema.entities[entity]).filter(\.isExternal).map { column in
        (column, updates.filter { $0.changes(column) }.map(\.key))
      }
    }.filter { !$0.keys.isEmpty }
  }

  private func record(_ column: SQLColumn, of keys: [Int64], _ writer: ExternalDataWriter) throws {
    try run(statements.fileNames(column), [.text(Self.list(keys))]) { statement in
      while try statement.step() {
        unsafe writer.replace(statement.blob(at: 0).bindMemory(to: UInt8.self))
      }
    }
  }
}
