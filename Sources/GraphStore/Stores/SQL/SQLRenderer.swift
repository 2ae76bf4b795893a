/// Writes a statement tree as text with numbered bindings.
///
/// Long chains of AND and OR are written as groups of groups, so that an engine's bound on the depth of
/// expressions is never met (PRD-237).
package struct SQLRenderer {
  package let syntax: any SQLSyntax
  package var sql = ""
  package private(set) var bindings: [SQLBinding] = []
  /// Whether columns are written without their table, as in an index.
  private var isInSchema = false

  private static let groupSize = 32

  package init(_ syntax: any SQLSyntax) { self.syntax = syntax }

  /// The text and the bindings of a select.
  package static func render(
    _ select: SQLSelect, _ syntax: any SQLSyntax
  ) -> (sql: String, bindings: [SQLBinding]) {
    var renderer = SQLRenderer(syntax)
    renderer.write(select)
    return (renderer.sql, renderer.bindings)
  }

  /// A statement that counts the rows of a select, groups and different ones included.
  ///
  /// - Parameter isTotal: Whether its rows are taken together, so that it has one.
  package static func renderCount(
    of select: SQLSelect, _ syntax: any SQLSyntax, isTotal: Bool = false
  ) -> (sql: String, bindings: [SQLBinding]) {
    var renderer = SQLRenderer(syntax)
    if select.limit == nil, select.offset == 0, select.groups.isEmpty, !select.isDistinct, !isTotal {
      var counting = select
      counting.columns = [.call("COUNT", [])]
      counting.order = []
      renderer.write(counting)
    } else {
      renderer.sql = "SELECT COUNT(*) FROM ("
      renderer.write(select)
      renderer.sql += syntax.namesSelects ? ") AS counted" : ")"
    }
    return (renderer.sql, renderer.bindings)
  }

  /// An expression over one table as written in an index.
  package static func text(inSchema expression: SQLExpression, _ syntax: any SQLSyntax) -> String {
    var renderer = SQLRenderer(syntax)
    renderer.isInSchema = true
    renderer.write(expression, isNested: true)
    return renderer.sql
  }

  /// - Parameter names: The names of the columns, where another select reads them.
  package mutating func write(_ select: SQLSelect, namingColumns names: [String] = []) {
    writeLines(of: select.source)
    sql += select.isDistinct ? "SELECT DISTINCT " : "SELECT "
    if select.columns.isEmpty { sql += "1" }
    for (index, column) in select.columns.enumerated() {
      if index > 0 { sql += ", " }
      write(column)
      if index < names.count { sql += " AS " + syntax.name(names[index]) }
    }
    sql += " FROM "
    write(select.source)
    for join in select.joins {
      sql += " " + syntax.joinOperator(join.kind) + " "
      write(join.source)
      sql += " ON "
      write(join.condition)
    }
    writeConditions(select.conditions)
    for (index, group) in select.groups.enumerated() {
      sql += index == 0 ? " GROUP BY " : ", "
      write(group, isNested: true)
    }
    if let condition = select.having {
      sql += " HAVING "
      write(condition)
    }
    for (index, key) in select.order.enumerated() {
      sql += index == 0 ? " ORDER BY " : ", "
      write(key.expression, isNested: true)
      sql += syntax.direction(key)
    }
    if select.limit != nil || select.offset > 0 {
      sql += " LIMIT "
      write(.binding(select.limit.map { SQLBinding.integer(Int64($0)) } ?? syntax.noLimit))
      sql += " OFFSET "
      write(.binding(.integer(Int64(select.offset))))
    }
  }

  package mutating func writeConditions(_ conditions: [SQLExpression]) {
    guard let condition = SQLExpression.all(of: conditions) else { return }
    sql += " WHERE "
    write(condition)
  }

  private mutating func write(_ source: SQLSelect.Source) {
    switch source.relation {
    case .table(let name): sql += syntax.tableName(name)
    case .list(let list):
      sql += "("
      write(list)
      sql += ")"
    case .lines: return write(source.alias)
    case .select(let select, let names):
      sql += "("
      write(select, namingColumns: names)
      sql += ")"
    }
    guard !source.alias.isUnnamed else { return }
    sql += " AS "
    write(source.alias)
  }

  private mutating func write(_ list: SQLList) {
    sql += list.opening
    write(list.value)
    sql += list.closing
  }

  /// A table of values precedes the select that reads it.
  private mutating func writeLines(of source: SQLSelect.Source) {
    guard case .lines(let columns, let lines) = source.relation else { return }
    sql += "WITH "
    write(source.alias)
    sql += "("
    writeNames(columns)
    sql += ") AS (VALUES "
    writeLines(lines)
    sql += ") "
  }

  package mutating func writeLines(_ lines: [[SQLExpression]]) {
    for (index, line) in lines.enumerated() {
      sql += index == 0 ? "(" : ", ("
      writeList(line)
      sql += ")"
    }
  }

  package mutating func write(_ alias: SQLAlias) {
    sql += "t\(alias.number)"
  }

  package mutating func writeNames(_ names: [String]) {
    for (index, name) in names.enumerated() {
      if index > 0 { sql += ", " }
      sql += syntax.name(name)
    }
  }

  package mutating func writeList(_ expressions: [SQLExpression]) {
    for (index, expression) in expressions.enumerated() {
      if index > 0 { sql += ", " }
      write(expression)
    }
  }

  private mutating func write(_ expression: SQLExpression, isNested: Bool) {
    guard isNested, expression.isOpen else { return write(expression) }
    sql += "("
    write(expression)
    sql += ")"
  }

  package mutating func write(_ expression: SQLExpression) {
    switch expression {
    case .column(let alias, let name):
      if !isInSchema, !alias.isUnnamed {
        write(alias)
        sql += "."
      }
      sql += syntax.name(name)
    case .binding(let binding):
      bindings.append(binding)
      sql += syntax.parameter(bindings.count)
    case .parameter(let number):
      assert(bindings.isEmpty, "a statement has parameters or bound constants")
      sql += syntax.parameter(number)
    case .number(let number): sql += String(number)
    case .literal(let text): sql += text
    case .null: sql += "NULL"
    case .prefix(let text, let operand):
      sql += text
      write(operand, isNested: true)
    case .infix(let text, let left, let right):
      write(left, isNested: true)
      sql += " \(text) "
      write(right, isNested: true)
    case .call(let name, let arguments):
      sql += name + "("
      if name == "COUNT", arguments.isEmpty { sql += "*" }
      writeList(arguments)
      sql += ")"
    case .and(let parts): writeChain(parts[...], " AND ", empty: syntax.constant(true))
    case .or(let parts): writeChain(parts[...], " OR ", empty: syntax.constant(false))
    case .not(let operand):
      sql += "NOT "
      write(operand, isNested: true)
    case .isNull(let operand):
      write(operand, isNested: true)
      sql += " IS NULL"
    case .isNotNull(let operand):
      write(operand, isNested: true)
      sql += " IS NOT NULL"
    case .isNotTrue(let operand):
      sql += "("
      write(operand)
      sql += ") IS NOT TRUE"
    case .isTrue(let operand):
      sql += "("
      write(operand)
      sql += ") IS TRUE"
    case .collated(let operand, let name):
      write(operand, isNested: true)
      sql += " COLLATE " + syntax.name(name)
    case .rank(let operand, let groups):
      sql += "CASE "
      write(operand, isNested: true)
      for (rank, numbers) in groups.enumerated() {
        for number in numbers { sql += " WHEN \(number) THEN \(rank)" }
      }
      sql += " END"
    case .exists(let select):
      sql += "EXISTS ("
      write(select)
      sql += ")"
    case .scalar(let select):
      sql += "("
      write(select)
      sql += ")"
    case .isMember(let operand, let list):
      write(operand, isNested: true)
      sql += " IN ("
      write(list)
      sql += ")"
    case .isAmong(let operand, let numbers):
      write(operand, isNested: true)
      if numbers.count == 1 {
        sql += " = \(numbers[0])"
      } else {
        sql += " IN (" + numbers.map(String.init).joined(separator: ", ") + ")"
      }
    case .conditional(let condition, then: let then, otherwise: let otherwise):
      sql += "CASE WHEN "
      write(condition)
      sql += " THEN "
      write(then)
      sql += " ELSE "
      write(otherwise)
      sql += " END"
    }
  }

  private mutating func writeChain(
    _ parts: ArraySlice<SQLExpression>, _ connective: String, empty: String
  ) {
    guard !parts.isEmpty else {
      sql += empty
      return
    }
    if parts.count <= Self.groupSize {
      for (index, part) in parts.enumerated() {
        if index > 0 { sql += connective }
        write(part, isNested: true)
      }
      return
    }
    var size = Self.groupSize
    while size * Self.groupSize < parts.count { size *= Self.groupSize }
    var start = parts.startIndex
    while start < parts.endIndex {
      if start > parts.startIndex { sql += connective }
      let end = min(start + size, parts.endIndex)
      sql += "("
      writeChain(parts[start..<end], connective, empty: empty)
      sql += ")"
      start = end
    }
  }
}

extension SQLExpression {
  /// Whether the text has an operator outside of parentheses.
  package var isOpen: Bool {
    switch self {
    case .column, .binding, .parameter, .number, .literal, .null, .call, .exists, .scalar, .conditional,
      .rank:
      false
    case .and(let parts), .or(let parts): parts.count > 1 || parts.first?.isOpen == true
    default: true
    }
  }

  /// A bound on how many symbols a parser keeps open in the text at once.
  package var openSymbols: Int {
    switch self {
    case .column, .binding, .parameter, .number, .literal, .null: 3
    case .prefix(_, let operand), .not(let operand), .isNull(let operand), .isNotNull(let operand),
      .isNotTrue(let operand), .isTrue(let operand), .isAmong(let operand, _), .collated(let operand, _):
      3 + operand.openSymbols
    case .rank(let operand, _): 8 + operand.openSymbols
    case .isMember(let operand, _): 12 + operand.openSymbols
    case .infix(_, let left, let right): 4 + max(left.openSymbols, right.openSymbols)
    case .call(_, let parts): 5 + (parts.map(\.openSymbols).max() ?? 0)
    case .and(let parts), .or(let parts):
      4 * (1 + levels(of: parts.count)) + (parts.map(\.openSymbols).max() ?? 0)
    case .exists(let select), .scalar(let select):
      14 + ((select.conditions + select.columns).map(\.openSymbols).max() ?? 0)
    case .conditional(let condition, then: let then, otherwise: let otherwise):
      8 + max(condition.openSymbols, then.openSymbols, otherwise.openSymbols)
    }
  }

  private func levels(of count: Int) -> Int {
    var levels = 0
    var rest = count
    while rest > 32 {
      rest /= 32
      levels += 1
    }
    return levels
  }
}
