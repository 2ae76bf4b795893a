/// What updates have in common that one statement writes: their entity, and which of its properties change.
package struct SQLUpdateShape: Hashable {
  package let entity: Int
  package let changed: PropertySet

  package init(_ update: SaveRequest.Update) {
    entity = update.row.layout.index
    changed = update.changed
  }
}
