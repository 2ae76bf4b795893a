import GraphStoreModel
import Synchronization

/// The texts of the statements by which a store reads rows by key, finds members, and writes.
///
/// All have parameters for their values. Those that faults and saves ask for again and again are made once
/// for a store; the others are made where they are run, once for many rows.
package final class SQLStatements: Sendable {
  /// What a text that is kept is for. There are as many as the schema has entities and relationships.
  package enum Use: Hashable {
    case row(root: Int)
    case rows(root: Int)
    case entityNumber(table: String)
    case members(ObjectIdentifier, SQLKeyTest)
    case memberRows(ObjectIdentifier, root: Int, SQLKeyTest)
    case insertion(entity: Int, rows: Int, isCopy: Bool)
  }

  package let schema: SQLSchema
  package let layout: ModelLayout
  package let dialect: any SQLDialect
  private let texts = Mutex<[Use: String]>([:])

  package init(schema: SQLSchema, layout: ModelLayout, dialect: any SQLDialect) {
    self.schema = schema
    self.layout = layout
    self.dialect = dialect
  }

  /// The text of a statement for a use, made at the first.
  package func text(for use: Use, _ make: () -> String?) -> String? {
    texts.withLock { texts in
      if let text = texts[use] { return text }
      let text = make()
      texts[use] = text
      return text
    }
  }

  /// The text of a statement for a use that every entity has, made at the first.
  package func text(for use: Use, _ make: () -> String) -> String {
    texts.withLock { texts in
      if let text = texts[use] { return text }
      let text = make()
      texts[use] = text
      return text
    }
  }

  package func text(_ select: SQLSelect) -> String { SQLRenderer.text(select, dialect) }

  /// A select over one table, with a condition on a column of keys.
  package func select(
    _ columns: [SQLExpression], from table: String, where column: String, _ test: SQLKeyTest
  ) -> SQLSelect {
    SQLSelect(
      columns: columns, source: .init(table: table, alias: .unnamed),
      conditions: [test.condition(on: .column(column), dialect)])
  }

  // MARK: Rows

  /// The row of a key in an entity tree.
  package func rowByKey(_ root: EntityLayout) -> String {
    text(for: .row(root: root.index)) { text(rows(root, .one)) }
  }

  /// The rows of the keys of a list in an entity tree.
  package func rowsByKeys(_ root: EntityLayout) -> String {
    text(for: .rows(root: root.index)) { text(rows(root, .list)) }
  }

  private func rows(_ root: EntityLayout, _ test: SQLKeyTest) -> SQLSelect {
    select(
      rowColumns(root).map { .column($0) }, from: schema.entities[root.index].table.name,
      where: schema.systemColumns.key, test)
  }

  /// The columns of a row as it is read: key, number of the entity, version, and what the entities of its
  /// tree have.
  package func rowColumns(_ root: EntityLayout) -> [String] {
    schema.systemColumns.all + schema.entities[root.index].columns(includingSubentities: true).map(\.name)
  }

  /// The number of the entity of the row of a key.
  package func entityNumber(_ table: SQLTable) -> String {
    text(for: .entityNumber(table: table.name)) {
      text(
        select(
          [.column(schema.systemColumns.entity)], from: table.name, where: schema.systemColumns.key, .one))
    }
  }

  /// The last key that was assigned to a record of a tree, and the greatest one that a row has; the parameter
  /// is the number of the tree's entity.
  package func greatestKeys(_ table: SQLTable) -> String {
    let greatest = SQLSelect(
      columns: [.call("max", [.column(schema.systemColumns.key)])],
      source: .init(table: table.name, alias: .unnamed))
    return text(
      select(
        [.column(schema.keyCounter.last), .scalar(greatest)], from: schema.keyCounter.table,
        where: schema.keyCounter.entity, .one))
  }

  /// The last key that an entity tree was given, by the counter alone.
  package var countedKey: String {
    text(
      select(
        [.column(schema.keyCounter.last)], from: schema.keyCounter.table, where: schema.keyCounter.entity,
        .one))
  }

  /// The rows that have the values of some lines under a uniqueness constraint: the number of the line, the
  /// row's key and entity number. The parameters of a line are the key of its own row, which is no holder,
  /// and its values.
  ///
  /// - Parameter entities: The numbers of the entities that the constraint binds; nil for all of the table.
  package func holders(_ table: SQLTable, _ columns: [SQLColumn], entities: [Int]?, lines: Int) -> String {
    let (line, row) = (SQLAlias(number: 0), SQLAlias(number: 1))
    let width = columns.count + 1
    let values = columns.indices.map { "v\($0)" }
    let rows = (0..<lines).map { number in
      [.number(Int64(number))] + (0..<width).map { SQLExpression.parameter(number * width + $0 + 1) }
    }
    let (key, entity) = (
      SQLExpression.column(row, schema.systemColumns.key),
      SQLExpression.column(row, schema.systemColumns.entity)
    )
    var tests: [SQLExpression] = zip(columns, values).map {
      .equals(.column(row, $0.name), .column(line, $1))
    }
    tests.append(.infix("<>", key, .column(line, "k")))
    if let entities { tests.append(.isAmong(entity, entities.map(Int64.init))) }
    let position = SQLExpression.column(line, "n")
    return text(
      SQLSelect(
        columns: [position, key, entity],
        source: .init(.lines(["n", "k"] + values, rows), alias: line),
        joins: [
          .init(source: .init(table: table.name, alias: row), kind: .inOrder, condition: .and(tests))
        ],
        order: [.init(expression: position, ascending: true), .init(expression: key, ascending: true)]))
  }

  /// The names of the files in which the values of a column are stored, by the keys of a list.
  package func fileNames(_ column: SQLColumn) -> String {
    let value = SQLExpression.column(column.name)
    var select = select([value], from: column.table.name, where: schema.systemColumns.key, .list)
    select.conditions.append(
      .equals(.call("length", [value]), .number(Int64(ExternalDataName.length + 2))))
    return text(select)
  }
}
