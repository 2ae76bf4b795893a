import GraphStoreModel
import GraphStoreSQLite

extension StoreInspector {
  /// Names and numbers of entities in the file that are not the model's.
  func entityNumbers(_ name: String) throws -> [StoreCheckFinding] {
    let statement = try connection.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")
    var findings: [StoreCheckFinding] = []
    func add(_ damage: StoreDamage, _ subject: String, _ message: String) {
      findings.append(StoreCheckFinding(damage, name: name, subject: subject, count: 1, message: message))
    }
    var seen: Set<Int> = []
    while try statement.step() {
      let number = Int(statement.int64(at: 0))
      let entityName = statement.string(at: 1) ?? ""
      if SQLiteLayout.isCoreDataEntity(number: number, name: entityName) { continue }
      guard let entity = schema.entity(numbered: number), entity.entity.name == entityName else {
        add(.unknownEntity, entityName, "number \(number) belongs to no entity of this name in the model")
        continue
      }
      seen.insert(number)
      let parent = schema.parentNumber(of: entity)
      if Int(statement.int64(at: 2)) != parent {
        add(
          .parentNumber, entityName, "the parent's number is \(statement.int64(at: 2)) instead of \(parent)")
      }
    }
    for entity in schema.numberedEntities where !seen.contains(entity.number) {
      add(
        .missingNumber, entity.entity.name,
        "number \(entity.number) is missing from \(SQLiteLayout.primaryKeyTable)")
    }
    return findings
  }
}
