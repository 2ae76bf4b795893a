extension SaveRequest.Update {
  /// Whether the value of a column is among those that change.
  package func changes(_ column: SQLColumn) -> Bool { row.layout.has(column, among: changed) }
}

extension SetUpdate {
  /// Whether the value of a column is among those that change.
  package func changes(_ column: SQLColumn) -> Bool { values.layout.has(column, among: changed) }
}

extension EntityLayout {
  /// Whether a column has the value of one of some fields.
  fileprivate func has(_ column: SQLColumn, among changed: PropertySet) -> Bool {
    guard !column.elements.isEmpty, let leaf = leaf(of: column) else {
      return changed.contains(column.property.number)
    }
    return changed.contains(field(of: leaf))
  }
}
