import GraphStoreModel

/// The names of Core Data's layout: `ZEMPLOYEE`, `ZFIRSTNAME`, `Z_PK` (STORE-FORMAT.md).
package struct CoreDataNaming: SQLNaming {
  package let systemColumns = SQLSystemColumns.coreData
  package let keyCounter = SQLKeyCounter(table: "Z_PRIMARYKEY", entity: "Z_ENT", last: "Z_MAX")
  package let reservedTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
  package let reservedColumns: [String] = []
  package let distinguishesPairColumns = true

  package init() {}

  package func name(_ name: String, number: Int) -> String { number == 0 ? name : "\(name)\(number)" }

  package func table(of root: EntityDescription) -> String { "Z" + SQLName.stem(root.name) }

  package func column(of path: [AttributeDescription]) -> String {
    "Z" + path.map { SQLName.stem($0.name) }.joined(separator: "_")
  }

  package func columns(ofToOne relationship: RelationshipDescription, root: Int) -> SQLReferenceNames {
    let stem = SQLName.stem(relationship.name)
    return SQLReferenceNames(key: "Z" + stem, entity: "Z\(root)_\(stem)", place: "Z_FOK_" + stem)
  }

  package func columns(ofOwner relationship: RelationshipDescription, owner: Int) -> SQLReferenceNames {
    let stem = "\(owner)\(SQLName.stem(relationship.name))"
    return SQLReferenceNames(key: "Z" + stem, entity: "", place: "Z_FOK_" + stem)
  }

  package func table(ofPairs relationship: RelationshipDescription, owner: Int) -> String {
    numbered(owner, relationship)
  }

  package func ownerColumn(
    ofPairs relationship: RelationshipDescription, _ form: SQLJoinTable.Form, owner: Int
  ) -> String {
    switch form {
    case .pair: numbered(owner, relationship.inverse ?? relationship)
    case .oneWay: numbered(owner, relationship) + "INVERSE"
    case .reflexive: numbered(owner, relationship)
    }
  }

  package func memberColumn(
    ofPairs relationship: RelationshipDescription, _ form: SQLJoinTable.Form, member: Int
  ) -> String {
    form == .reflexive ? "REFLEXIVE" : numbered(member, relationship)
  }

  package func placeColumn(ofPairs relationship: RelationshipDescription, member: String) -> String {
    "Z_FOK_" + (member.hasPrefix("Z_") ? String(member.dropFirst(2)) : member)
  }

  package func entityIndex(of table: String) -> String { "\(table)_Z_ENT_INDEX" }

  package func keyIndex(of table: String, _ column: String) -> String { "\(table)_\(column)_INDEX" }

  package func index(_ name: String, of entity: EntityDescription) -> String { "Z_\(entity.name)_\(name)" }

  package func uniqueIndex(of entity: EntityDescription, _ properties: [PropertyDescription]) -> String {
    "Z_\(entity.name)_UNIQUE_\(properties.map(\.name).joined(separator: "_"))"
  }

  private func numbered(_ number: Int, _ relationship: RelationshipDescription) -> String {
    "Z_\(number)\(SQLName.stem(relationship.name))"
  }
}

extension SQLSystemColumns {
  /// The columns of Core Data's layout.
  package static let coreData = SQLSystemColumns(key: "Z_PK", entity: "Z_ENT", version: "Z_OPT")
}
