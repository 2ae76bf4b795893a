#if PostgreSQL
import GraphStore

/// What belongs to tables and is made anew where they are altered: views, and the foreign keys and indexes
/// that say something else then.
struct PostgreSQLAttachments {
  /// What drops those that are there.
  let drops: [String]
  /// What makes those of the altered tables, with views and comments.
  let makes: [String]

  /// - Parameters:
  ///   - old: The schema as it is.
  ///   - new: The schema as it will be.
  ///   - unchanged: The tables whose columns keep their names, as far as they are in both.
  init(from old: PostgreSQLSchema, to new: PostgreSQLSchema, unchanged: Set<String>) throws {
    let formerReferences = old.references.map { ($0, $0.statement(old.dialect)) }
    let formerIndexes = try old.indexes().map { ($0, old.dialect.createStatement($0)) }
    let wanted =
      new.references.map { $0.statement(new.dialect) } + (try new.indexes().map(new.dialect.createStatement))
    let kept = Set(
      formerReferences.filter { unchanged.contains($0.0.table) && unchanged.contains($0.0.target) }.map(\.1)
        + formerIndexes.filter { unchanged.contains($0.0.table) }.map(\.1)
    ).intersection(wanted)
    let dialect = old.dialect
    let views = old.viewNames().map { dialect.tableName($0.view) }
    drops =
      (views.isEmpty ? [] : ["DROP VIEW IF EXISTS \(views.joined(separator: ", "))"])
      + formerReferences.filter { !kept.contains($0.1) }.map { reference, _ in
        "ALTER TABLE \(dialect.tableName(reference.table)) "
          + "DROP CONSTRAINT IF EXISTS \(dialect.name(reference.name))"
      }
      + formerIndexes.filter { !kept.contains($0.1) }.map {
        "DROP INDEX IF EXISTS \(dialect.tableName($0.0.name))"
      }
    makes = wanted.filter { !kept.contains($0) } + new.descriptions
  }
}
#endif
