import GraphStoreModel

/// The expressions and conditions of a model's indexes that have constants.
///
/// An engine knows an indexed expression by its text. The constants of a request are bound, so they are no
/// text; where a statement has the very expression of an index, it is written as the index has it. The text
/// of a statement still contains nothing of the request's values (PRD-235).
package struct IndexExpressionMatcher: Sendable {
  /// The alias of the table in the forms.
  private static let alias = SQLAlias(number: 0)

  /// By table, the form with bound constants and the form with written ones.
  private var forms: [String: [SQLExpression: SQLExpression]] = [:]

  /// The forms of no index.
  package static let none = IndexExpressionMatcher()

  private init() {}

  /// The forms of a model's indexes; those that the engine cannot hold have none.
  package init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
    for entity in schema.entitiesInOrder {
      for index in entity.entity.indexes where index.isComputed {
        let translator = SQLIndexTranslator(schema, dialect: dialect, entity: entity)
        var parts: [SQLExpression] = []
        for case .expression(let expression) in index.elements.map(\.subject) {
          if let part = try? translator.expression(expression) { parts.append(part) }
        }
        if let predicate = index.predicate { parts += (try? translator.conditions(predicate)) ?? [] }
        for part in parts where part.hasBinding {
          forms[entity.table.name, default: [:]][part] = part.writingConstants(dialect.literal)
        }
      }
    }
  }

  /// The select with the expressions of indexes written as the indexes have them.
  package func applied(to select: SQLSelect) -> SQLSelect {
    forms.isEmpty ? select : applied(to: select, [:])
  }

  private func applied(to select: SQLSelect, _ outer: [SQLAlias: String]) -> SQLSelect {
    var tables = outer
    for source in [select.source] + select.joins.map(\.source) { tables[source.alias] = source.table }
    var result = select
    result.conditions = select.conditions.flatMap(\.conjuncts).map { applied(to: $0, tables) }
    result.groups = select.groups.map { applied(to: $0, tables) }
    for index in result.order.indices {
      result.order[index].expression = applied(to: result.order[index].expression, tables)
    }
    return result
  }

  private func applied(to expression: SQLExpression, _ tables: [SQLAlias: String]) -> SQLExpression {
    if case .exists(let select) = expression { return .exists(applied(to: select, tables)) }
    if case .scalar(let select) = expression { return .scalar(applied(to: select, tables)) }
    if let alias = expression.onlyAlias, let forms = tables[alias].flatMap({ forms[$0] }),
      let form = forms[expression.replacing(alias, by: Self.alias)]
    {
      return form.replacing(Self.alias, by: alias)
    }
    return expression.mappingParts { applied(to: $0, tables) }
  }
}

extension IndexDescription {
  /// Whether the index has an expression or a condition.
  package var isComputed: Bool {
    predicate != nil || elements.contains { if case .expression = $0.subject { true } else { false } }
  }
}
