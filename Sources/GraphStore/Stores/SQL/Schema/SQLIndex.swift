import GraphStoreModel
import GraphStorePredicates

/// An index over columns and expressions of one table.
package struct SQLIndex: Hashable, Sendable {
  /// One part of an index.
  package struct Element: Hashable, Sendable {
    /// Subject of an index's element.
    package enum Subject: Hashable, Sendable {
      /// A column, by its name.
      case column(String)
      /// An expression over columns, as its text.
      case expression(String)
    }

    /// The subject of the element.
    package var subject: Subject
    /// Whether the greatest value is first; nil leaves the order unspecified, which means ascending.
    package var isDescending: Bool?

    package init(column: String, isDescending: Bool?) {
      subject = .column(column)
      self.isDescending = isDescending
    }

    package init(expression: String, isDescending: Bool?) {
      subject = .expression(expression)
      self.isDescending = isDescending
    }

    /// The column's name; nil for an expression.
    package var column: String? {
      if case .column(let name) = subject { name } else { nil }
    }
  }

  /// The name; never parsed, an index is found by its table and columns.
  package var name: String
  /// The table's name.
  package var table: String
  /// The parts, in order.
  package var elements: [Element]
  /// Whether equal rows are refused; missing values equal nothing.
  package var isUnique = false
  /// The numbers of the entities whose rows the index covers; nil for all rows.
  package var entityNumbers: [Int]?
  /// The condition of the rows that the index covers, as text; nil for all rows.
  package var condition: String?
  /// Whether functions of the library are part of it, which other programs do not have.
  package var callsFunctions = false
}

/// Puts the expressions and conditions of an entity's indexes into SQL, by the same code as those of
/// requests, so that both are alike (PRD-247, PRD-248).
package struct SQLIndexTranslator {
  private let entity: EntityDescription
  private let dialect: any SQLDialect
  private let scope: SQLScope
  private let translator: SQLTranslator

  package init(_ schema: SQLSchema, dialect: any SQLDialect, entity: SQLEntity) {
    self.entity = entity.entity
    self.dialect = dialect
    scope = SQLScope(table: entity.table.name, aliases: SQLAliases())
    let root = SQLEntityReference(
      entity.entity, key: .column(scope.alias, schema.systemColumns.key), scope: scope, alias: scope.alias,
      isAlwaysThere: true)
    translator = SQLTranslator(schema: schema, dialect: dialect, root: root)
  }

  /// The expression over the entity's row.
  package func expression(_ expression: QueryExpression) throws(NotPushable) -> SQLExpression {
    let checked: QueryExpression
    do throws(QueryPredicateError) {
      checked = try PredicateTypeChecker(entity: entity).check(expression).expression
    } catch {
      throw NotPushable(.differentKinds, error.message)
    }
    let operand = try translator.operand(checked)
    return try indexable(operand.unchecked?.expression ?? operand.expression)
  }

  /// The condition over the entity's row, as the conditions that must all be true.
  package func conditions(_ predicate: QueryPredicate) throws(NotPushable) -> [SQLExpression] {
    let checked: QueryPredicate
    do throws(QueryPredicateError) {
      checked = try PredicateTypeChecker(entity: entity).check(predicate)
    } catch {
      throw NotPushable(.differentKinds, error.message)
    }
    return try indexable(try translator.translate(checked)).conjuncts
  }

  /// The text for the statement that makes the index.
  package func text(_ expression: SQLExpression) throws(NotPushable) -> String {
    guard let written = expression.writingConstants(dialect.literal) else {
      throw NotPushable(.differentKinds, "it has a constant that cannot be written exactly")
    }
    return SQLRenderer.text(inSchema: written, dialect)
  }

  private func indexable(_ expression: SQLExpression) throws(NotPushable) -> SQLExpression {
    guard scope.select.joins.isEmpty else {
      throw NotPushable(.notInRow, "it leads to other objects")
    }
    var reason: String?
    expression.visit { part in
      switch part {
      case .exists, .scalar: reason = "it leads to other objects"
      case .isMember: reason = "it has a list; write the comparisons with OR"
      case .collated: reason = "it compares by a locale, whose order changes with the system"
      case .column(let alias, _) where alias != scope.alias: reason = "it leads to other objects"
      default: break
      }
    }
    if let reason { throw NotPushable(.differentKinds, reason) }
    return expression
  }
}
