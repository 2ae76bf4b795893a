extension SQLRenderer {
  /// The text of a select with parameters.
  package static func text(_ select: SQLSelect, _ syntax: any SQLSyntax) -> String {
    render(select, syntax).sql
  }

  /// The text of an INSERT.
  package static func text(_ insert: SQLInsert, _ syntax: any SQLSyntax) -> String {
    var renderer = SQLRenderer(syntax)
    let (opening, closing) = syntax.insertion(insert.conflict)
    renderer.sql = opening + syntax.tableName(insert.table) + " ("
    renderer.writeNames(insert.columns)
    renderer.sql += ") VALUES "
    renderer.writeLines(insert.rows)
    renderer.sql += closing
    return renderer.sql
  }

  /// The text of an UPDATE.
  package static func text(_ update: SQLUpdate, _ syntax: any SQLSyntax) -> String {
    var renderer = SQLRenderer(syntax)
    renderer.sql = "UPDATE "
    renderer.write(update.table, update.alias)
    renderer.sql += " SET "
    for (index, assignment) in update.assignments.enumerated() {
      if index > 0 { renderer.sql += ", " }
      renderer.sql += syntax.name(assignment.column) + " = "
      renderer.write(assignment.value)
    }
    renderer.writeConditions(update.conditions)
    if !update.returned.isEmpty {
      renderer.sql += " RETURNING "
      renderer.writeNames(update.returned)
    }
    return renderer.sql
  }

  /// The text of a DELETE.
  package static func text(_ delete: SQLDelete, _ syntax: any SQLSyntax) -> String {
    var renderer = SQLRenderer(syntax)
    renderer.sql = "DELETE FROM "
    renderer.write(delete.table, delete.alias)
    renderer.writeConditions(delete.conditions)
    return renderer.sql
  }

  private mutating func write(_ table: String, _ alias: SQLAlias?) {
    sql += syntax.tableName(table)
    guard let alias else { return }
    sql += " AS "
    write(alias)
  }
}
