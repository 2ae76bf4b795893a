import GraphStoreModel
import GraphStorePredicates

/// Column of a derived attribute, and the select that computes its values: key, entity number, stored and
/// computed value.
package struct SQLDerivedColumn {
  package let derived: DerivedAttribute
  package let column: SQLColumn
  private let dialect: any SQLDialect
  private let systemColumns: SQLSystemColumns
  private let select: SQLSelect
  private let key: SQLExpression

  /// Nil for an attribute without a column, or of values that no expression has.
  package init?(_ derived: DerivedAttribute, in schema: SQLSchema, _ dialect: any SQLDialect) {
    let entity = schema.entity(derived.entity)
    guard let expression = derived.expression,
      case .attribute(let column) = entity.storage(of: derived.attribute),
      let checked = try? PredicateTypeChecker(entity: derived.entity).check(expression).expression
    else { return nil }
    let scope = SQLScope(table: entity.table.name, aliases: SQLAliases())
    let key = SQLExpression.column(scope.alias, schema.systemColumns.key)
    let root = SQLEntityReference(
      derived.entity, key: key, scope: scope, alias: scope.alias, isAlwaysThere: true)
    let translator = SQLTranslator(schema: schema, dialect: dialect, root: root)
    guard let value = try? translator.operand(checked).expression else { return nil }
    let number = SQLExpression.column(scope.alias, schema.systemColumns.entity)
    scope.select.columns = [key, number, .column(scope.alias, column.name), value]
    if entity.sharesTable, derived.entity.superentity != nil {
      scope.select.conditions.append(.isAmong(number, entity.familyNumbers.map(Int64.init)))
    }
    (self.derived, self.column, self.dialect, self.key) = (derived, column, dialect, key)
    systemColumns = schema.systemColumns
    select = scope.select
  }

  /// The statement that writes the value of the column, the first parameter, in the row of a key, the second
  /// one.
  package var update: String {
    SQLRenderer.text(
      SQLUpdate(
        table: column.table.name, assignments: [.init(column.name, .parameter(1))],
        conditions: [.equals(.column(systemColumns.key), .parameter(2))]),
      dialect)
  }

  /// The statement over records of some keys; over all for nil.
  package func statement(keys: [Int64]?) -> (sql: String, bindings: [SQLBinding]) {
    var select = select
    if let keys {
      select.conditions.append(.isMember(key, dialect.keyList(.binding(dialect.binding(ofKeys: keys)))))
    }
    return SQLRenderer.render(select, dialect)
  }
}
