import GraphStoreModel
import GraphStorePredicates

/// The indexes that could serve a statement's conditions and its order (DGN-086).
struct SQLiteIndexCandidates {
  private let table: SQLTable
  private let alias: SQLAlias
  private var equal: [SQLColumn] = []
  private var ranges: [SQLColumn] = []
  private var order: [SQLIndex.Element] = []

  init(_ select: SQLSelect, _ table: SQLTable) {
    self.table = table
    alias = select.source.alias
    for condition in select.conditions { collect(condition) }
    for key in select.order {
      guard let column = column(key.expression) else {
        if case .column(alias, SQLSystemColumns.coreData.key) = key.expression, !key.ascending { turnOrder() }
        break
      }
      order.append(.init(column: column.name, isDescending: !key.ascending))
    }
  }

  /// An index ends with the ascending key: where keys descend among equals, it serves the order read
  /// backwards.
  private mutating func turnOrder() {
    order = order.map { element in
      var turned = element
      turned.isDescending = element.isDescending != true
      return turned
    }
  }

  private mutating func collect(_ condition: SQLExpression) {
    switch condition {
    case .and(let parts): for part in parts { collect(part) }
    case .infix("=", let left, let right), .infix("IS", let left, let right):
      if let column = column(left, comparedWith: right) ?? column(right, comparedWith: left) {
        add(column, to: \.equal)
      }
    case .isNull(let operand), .isMember(let operand, _):
      if let column = column(operand) { add(column, to: \.equal) }
    case .infix("<", let left, let right), .infix("<=", let left, let right),
      .infix(">", let left, let right), .infix(">=", let left, let right):
      if let column = column(left, comparedWith: right) ?? column(right, comparedWith: left) {
        add(column, to: \.ranges)
      }
    default: break
    }
  }

  private mutating func add(_ column: SQLColumn, to list: WritableKeyPath<Self, [SQLColumn]>) {
    guard !self[keyPath: list].contains(where: { $0 === column }) else { return }
    self[keyPath: list].append(column)
  }

  private func column(_ expression: SQLExpression) -> SQLColumn? {
    guard case .column(alias, let name) = expression else { return nil }
    return table.column(named: name)
  }

  private func column(_ expression: SQLExpression, comparedWith other: SQLExpression) -> SQLColumn? {
    var hasColumns = false
    other.visit { if case .column = $0 { hasColumns = true } }
    return hasColumns ? nil : column(expression)
  }

  /// The elements of each candidate, the best first.
  var elements: [[SQLIndex.Element]] {
    let fixed = equal.map { SQLIndex.Element(column: $0.name, isDescending: false) }
    let names = Set(fixed.map(\.column))
    let sorted = order.filter { !names.contains($0.column) }
    var candidates: [[SQLIndex.Element]] = []
    func add(_ elements: [SQLIndex.Element]) {
      if !elements.isEmpty, !candidates.contains(elements) { candidates.append(elements) }
    }
    let bounded = ranges.first { !names.contains($0.name) }
    if let bounded, sorted.first?.column != bounded.name {
      add(fixed + [.init(column: bounded.name, isDescending: false)])
    }
    add(fixed + sorted)
    add(fixed)
    return candidates
  }

  /// The property that a column holds, where an index of a model can name it.
  func property(_ element: SQLIndex.Element) -> PropertyDescription? {
    guard let column = element.column.flatMap(table.column(named:)) else { return nil }
    switch column.kind {
    case .toOneEntity, .orderKey, .ownerKey: return nil
    default: return column.property
    }
  }
}
