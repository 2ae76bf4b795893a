import GraphStoreModel
import OrderedCollections

/// Updated rows of one shape whose unique columns change: values may move from one row to another.
package struct SQLExchange {
  package let table: SQLTable
  package let columns: [SQLColumn]
  package private(set) var keys: [Int64] = []

  private init(_ update: SaveRequest.Update, _ statements: SQLStatements) {
    let entity = statements.schema.entities[update.row.layout.index]
    var names: Set<String> = []
    var ancestor: EntityDescription? = entity.entity
    while let current = ancestor {
      for constraint in current.uniquenessConstraints { names.formUnion(constraint.map(\.name)) }
      ancestor = current.superentity
    }
    table = entity.table
    columns = statements.writtenColumns(entity).filter {
      update.changed.contains($0.property.number) && names.contains($0.property.name)
    }
  }

  /// The exchanges that a save may have, by shape.
  package static func all(in save: SaveRequest, _ statements: SQLStatements) -> [SQLExchange] {
    var found: OrderedDictionary<SQLUpdateShape, SQLExchange> = [:]
    for update in save.updates where !update.row.layout.entity.uniquenessConstraints.isEmpty {
      let shape = SQLUpdateShape(update)
      if found[shape] == nil { found[shape] = SQLExchange(update, statements) }
      found[shape]?.keys.append(update.key)
    }
    return found.values.filter { !$0.columns.isEmpty }
  }
}
