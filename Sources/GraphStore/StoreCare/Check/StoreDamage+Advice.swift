/// Reason why something is not repaired, and the remedy for a person; each a sentence without full stop.
package struct RepairAdvice: Hashable, Sendable {
  /// The placeholder in a remedy for the property that a finding concerns.
  static let property = "ENTITY.PROPERTY"

  let reason: String
  let remedy: String

  package init(_ reason: String, remedy: String) {
    self.reason = reason
    self.remedy = remedy
  }
}

extension StoreDamage {
  private static let backup = "restore a backup, or export what can be read into a new store"

  /// The advice on damage that a repair has left.
  package var advice: RepairAdvice {
    switch self {
    case .newerWriter, .page, .unfinished, .systemColumns, .metadata, .metadataRows, .modelHash, .hashDigest:
      fileAdvice
    case .indexContent, .missingTable, .missingColumns, .columnType, .missingKey, .missingPairKey,
      .missingIndex, .missingForeignKey,
      .indexedFunctions, .trigger, .virtualTable:
      tableAdvice
    case .unknownEntity, .parentNumber, .missingNumber, .impossibleKey, .keyCounter: numberAdvice
    case .rowTag, .destinationEntity, .referenceTag, .linkedEntity, .disagreeingPair, .oneSidedPair,
      .danglingReference, .danglingLink, .place:
      linkAdvice
    case .rowVersion, .missingValue, .memberCount, .misfit, .brokenRule, .duplicate, .derivedValue:
      valueAdvice
    case .externalPrefix, .externalBytes, .missingFile, .sharedFile, .unnamedFile: externalAdvice
    case .history:
      RepairAdvice(
        "only its readers know what they need of it",
        remedy: "remove from the history what all have read")
    }
  }

  private var fileAdvice: RepairAdvice {
    switch self {
    case .newerWriter:
      RepairAdvice(
        "only a newer SQLite may write the file", remedy: "export the store, and import it into a new one")
    case .unfinished:
      RepairAdvice(
        "what the check would have found is not known", remedy: "see to what else is damaged, and check again"
      )
    case .metadataRows:
      RepairAdvice(
        "which row is the store's own is not certain", remedy: "remove the others with a SQLite tool")
    case .modelHash, .hashDigest:
      RepairAdvice(
        "whether the model or the hashes were changed is not certain", remedy: Self.backup)
    default: RepairAdvice("what is lost is to be found in a copy alone", remedy: Self.backup)
    }
  }

  private var tableAdvice: RepairAdvice {
    switch self {
    case .indexContent, .missingIndex:
      RepairAdvice(
        "the rows are not unique, or another index has its name",
        remedy: "change all but one of the values, or remove the other index, and repair again")
    case .missingForeignKey:
      RepairAdvice("a reference leads nowhere", remedy: "mend the references, and repair again")
    case .missingTable:
      RepairAdvice("an empty table would hide that its rows are lost", remedy: Self.backup)
    case .missingColumns: RepairAdvice("the values of its rows are lost", remedy: Self.backup)
    case .columnType:
      RepairAdvice(
        "the model may be another than the store's", remedy: "give the model that it was made with")
    case .missingKey, .missingPairKey:
      RepairAdvice(
        "rows have no keys of their own, or another program has added to the table",
        remedy: "give each row a key of its own and remove further columns with a SQLite tool")
    case .trigger:
      RepairAdvice("what a trigger is for is not known", remedy: "drop it if nothing needs what it keeps")
    default: RepairAdvice("it is another program's", remedy: "leave it to the program that made it")
    }
  }

  private var numberAdvice: RepairAdvice {
    switch self {
    case .unknownEntity:
      RepairAdvice(
        "rows of another model's entity may be in the store",
        remedy: "remove the row from Z_PRIMARYKEY with a SQLite tool if there are none")
    case .impossibleKey, .keyCounter:
      RepairAdvice(
        "with another key it would be another object",
        remedy: "insert the object anew, and remove the row with a SQLite tool")
    default:
      RepairAdvice("the store has numbers of its own, or names may be wrong", remedy: Self.backup)
    }
  }

  private var linkAdvice: RepairAdvice {
    switch self {
    case .rowTag, .referenceTag:
      RepairAdvice(
        "more than one entity, or none, fits the row",
        remedy: "set Z_ENT with a SQLite tool, or remove the row")
    case .destinationEntity, .linkedEntity:
      RepairAdvice(
        "whether the reference or the object is wrong is not certain",
        remedy: "set the relationship to another object")
    case .disagreeingPair:
      RepairAdvice(
        "more than two objects are concerned", remedy: "set the relationship of one of them to the right one")
    case .danglingReference:
      RepairAdvice(
        "the relationship is mandatory, or a table is damaged",
        remedy: "set it to another object, or delete the objects")
    default: RepairAdvice("its table is damaged", remedy: Self.backup)
    }
  }

  private var valueAdvice: RepairAdvice {
    switch self {
    case .missingValue: RepairAdvice("the value is not known", remedy: "set it, or delete the objects")
    case .memberCount:
      RepairAdvice("which members belong there is not known", remedy: "add or remove members")
    case .misfit:
      RepairAdvice(
        "what was meant is not known",
        remedy: "set the values anew; a row that cannot be read for one is read again once "
          + "a repair clearing \(RepairAdvice.property) has set them to nil")
    case .brokenRule:
      RepairAdvice(
        "which value the rule is to allow is not known", remedy: "set the values anew, or change the rule")
    case .duplicate:
      RepairAdvice(
        "which object is to keep the value is not known",
        remedy: "change all but one of the values, or delete the other objects")
    case .derivedValue: RepairAdvice("it cannot be computed", remedy: "mend what it is derived from")
    default: RepairAdvice("its table is damaged", remedy: Self.backup)
    }
  }

  private var externalAdvice: RepairAdvice {
    switch self {
    case .missingFile:
      RepairAdvice(
        "its data are to be found in a copy alone",
        remedy: "restore the folder beside the store, or set the value")
    case .sharedFile:
      RepairAdvice(
        "files are no part of the repair's transaction",
        remedy: "set one of the values anew, which gives it a file of its own")
    case .unnamedFile:
      RepairAdvice(
        "files are no part of the repair's transaction",
        remedy: "remove them while nobody has the store open; they do no harm")
    default: RepairAdvice("what they were is not known", remedy: "set the values anew")
    }
  }
}
