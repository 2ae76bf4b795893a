#if PostgreSQL
import GraphStore
import GraphStoreModel

/// Statements that take a history over into the store that takes the place of another one, and add a
/// transaction of the migration, which has no changes (MIG-275).
///
/// Entities have other numbers there, and their properties other names. Where nobody says what became of each
/// record, the history begins anew, and numbers go on behind a gap: what was read of the former one has
/// expired.
struct PostgreSQLHistoryTranslation {
  private let translation: HistoryTranslation?
  private let old: PostgreSQLSchema
  private let new: PostgreSQLSchema

  init(_ translation: HistoryTranslation?, from old: PostgreSQLSchema, to new: PostgreSQLSchema) {
    (self.translation, self.old, self.new) = (translation, old, new)
  }

  var statements: [PostgreSQLConnection.Command] {
    let (source, target) = (PostgreSQLHistoryTables(old.dialect), PostgreSQLHistoryTables(new.dialect))
    guard let translation else { return target.continuing(source, skipping: 1).map { .once($0) } }
    let copies =
      target.continuing(source, skipping: 0) + [target.copyTransactions(of: source)]
      + (rows(translation.entities).map { [target.copyChanges(of: source, $0)] } ?? [])
    return copies.map { .once($0) } + [target.addingMigration]
  }

  /// The statements for a history that stays in its tables, whose entities keep their numbers.
  var changes: [PostgreSQLConnection.Command] {
    let tables = PostgreSQLHistoryTables(new.dialect)
    let kept = translation.map { $0.entities.compactMap { old.entityNumbers[$0.old] } } ?? []
    let renamed = translation.map { $0.entities.filter(isRenamed) } ?? []
    let updates = rows(renamed).map { [tables.renameProperties($0)] } ?? []
    return ([tables.removeChanges(butOf: kept)] + updates).map { .once($0) } + [tables.addingMigration]
  }

  /// Whether properties of an entity have other names, or are gone.
  private func isRenamed(_ entity: HistoryTranslation.Entity) -> Bool {
    guard let former = old.tables.model.entitiesByName[entity.old] else { return true }
    return former.properties.contains { entity.properties[$0.name] != $0.name }
  }

  /// The new number and the new names of properties by the old number of each entity that is still there; nil
  /// for none.
  private func rows(_ entities: [HistoryTranslation.Entity]) -> String? {
    let (former, present) = (old.entityNumbers, new.entityNumbers)
    let rows = entities.compactMap { entity -> String? in
      guard let number = former[entity.old], let new = present[entity.new] else { return nil }
      let names = JSONValue.object(entity.properties.mapValues { .string($0) }).compactText
      return "(\(number), \(new), \(PostgreSQLName.literal(names))::json)"
    }
    return rows.isEmpty ? nil : rows.joined(separator: ", ")
  }
}
#endif
