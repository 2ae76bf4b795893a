/// The kinds of damage that a check of a store distinguishes, and the treatment of each in a repair.
///
/// A repair does what follows from the rest of the store with certainty, and nothing that a person has to
/// decide. Each case says which of the two it is; ``advice`` is the report's text for the second.
package enum StoreDamage: String, CaseIterable, Hashable, Sendable {
  // MARK: The file

  /// A header that keeps this SQLite from writing. Not mended: only SQLite knows what a newer one has
  /// written.
  case newerWriter
  /// An index that does not hold what its table holds. Mended: the table is the record, and the index is made
  /// from it.
  case indexContent
  /// A page that cannot be read. Not mended, and nothing else of the store either: what SQLite cannot read it
  /// might write over.
  case page
  /// A check that broke off. Not mended: what it would have found is not known.
  case unfinished

  // MARK: System tables

  /// A system table without one of its columns. Not mended: its values are not to be found elsewhere.
  case systemColumns
  /// Metadata that cannot be read. Not mended, and nothing else either: such a store is not opened for
  /// writing.
  case metadata
  /// No row of metadata, or several. Those that repeat the first are removed; of others one is the store's
  /// own.
  case metadataRows
  /// A recorded hash that is not the model's. Mended where digest or checksum is that of the model's hashes;
  /// else either side may be the wrong one.
  case modelHash
  /// A digest or checksum that is not that of the recorded hashes. Mended where those are the model's.
  case hashDigest

  // MARK: Tables

  /// A table that is missing. Made where it never had a row; an empty one instead of lost rows would hide the
  /// loss.
  case missingTable
  /// A table without one of its columns. Added to a table without rows; those of others have lost their
  /// values.
  case missingColumns
  /// A column that is declared as another type than the model asks for. Not mended: the model may be another
  /// one's.
  case columnType
  /// A table whose key is not SQLite's row id. Made anew where each row has a key of its own, and no other
  /// program has added to the table.
  case missingKey
  /// A table of pairs that can hold one twice. Made anew as for ``missingKey``, with each pair once.
  case missingPairKey
  /// An index that is missing. Made, unless rows contradict one that guards uniqueness.
  case missingIndex
  /// A foreign key that is missing. Made, unless a reference leads nowhere.
  case missingForeignKey
  /// An index with values of an earlier version's functions. Mended: it is made anew, as opening for writing
  /// does.
  case indexedFunctions
  /// A trigger. Not mended, and nothing else either: such a store is not opened for writing.
  case trigger
  /// A virtual table. Not mended, as it is another program's.
  case virtualTable

  // MARK: Numbers and keys

  /// A number for an entity that the model does not have. Not mended: rows of it may be somewhere.
  case unknownEntity
  /// A wrong number of a parent. Mended in a store whose entities all have the numbers of a new store; else
  /// the name may be the wrong part.
  case parentNumber
  /// An entity without a number. Mended as ``parentNumber``.
  case missingNumber
  /// A key that no object can have. Not mended: another key would make another object of it.
  case impossibleKey
  /// A counter below a key that is in use, or beyond all of them. Mended: it becomes the greatest key of a
  /// row or in a reference, so that no new object gets the key of another.
  case keyCounter

  // MARK: Rows

  /// A row of no entity that its table has. Mended where its values, the references to it and its links fit a
  /// single entity.
  case rowTag
  /// A reference to an object of an entity that the relationship does not lead to. Not mended: either end may
  /// be wrong.
  case destinationEntity
  /// A number beside a reference that is not that of the object's entity. Mended: the object itself has it.
  case referenceTag
  /// A link with an object of an entity that does not have the relationship. Not mended, as
  /// ``destinationEntity``.
  case linkedEntity
  /// A row without a version. Mended: it becomes that of a new row, since no context has read another one.
  case rowVersion
  /// One end of a one-to-one relationship that the other one does not confirm. The missing end is set where
  /// only two objects are concerned; of several that claim one object a person has to choose.
  case disagreeingPair
  /// A link of a relationship that is its own inverse, in one direction only. Mended: reading adds the other
  /// one.
  case oneSidedPair
  /// A reference to an object that is gone. An optional one becomes nil (REL-306); a mandatory one needs
  /// another object.
  case danglingReference
  /// A link to an object that is gone. Mended: it is removed, as the deletion of the object would have done.
  case danglingLink
  /// A member of an ordered relationship without a place of its own. Mended: all members keep the order that
  /// reading shows.
  case place
  /// A mandatory property without a value. Not mended: the value is not known.
  case missingValue
  /// Fewer or more members than allowed. Not mended: a person has to choose them.
  case memberCount
  /// A value that is not one of its attribute's type. Not mended: what was meant is not known.
  case misfit
  /// A value that a rule of the model forbids. Not mended: a person has to choose another value.
  case brokenRule
  /// Values that are to be unique. Not mended: a person has to choose which object keeps them.
  case duplicate

  // MARK: External and derived data

  /// Values in the form of an earlier version of the library. Mended: they get their prefix.
  case externalPrefix
  /// Bytes that are neither data nor the name of a file. Not mended: what they were is not known.
  case externalBytes
  /// A file that is missing. Not mended: a copy of the folder has it.
  case missingFile
  /// A file that two values name. Not mended: files are no part of the transaction that a repair is.
  case sharedFile
  /// A file that no row names. Not mended, for the same reason; it does no harm.
  case unnamedFile
  /// A value that is not the derived one. Mended: it is computed anew, last of all.
  case derivedValue

  // MARK: History

  /// A history with changes of no transaction, or one that has grown large. Not mended: only its readers know
  /// what they need of it.
  case history

  /// Whether there is a repair for it, in some stores at least.
  package var isMendable: Bool {
    switch self {
    case .newerWriter, .page, .unfinished, .systemColumns, .metadata, .columnType, .trigger, .virtualTable,
      .unknownEntity,
      .impossibleKey, .destinationEntity, .linkedEntity, .missingValue, .memberCount, .misfit, .brokenRule,
      .duplicate,
      .externalBytes, .missingFile, .sharedFile, .unnamedFile, .history:
      false
    default: true
    }
  }

  /// The name of the index that a line of SQLite's integrity check names, where the table itself is whole.
  static func index(inIntegrityLine line: String) -> String? {
    let beginnings = [
      "row ", "wrong # of entries in index ", "non-unique entry in index ", "rowid not at end",
    ]
    guard beginnings.contains(where: line.hasPrefix), let word = line.range(of: " index ") else { return nil }
    return String(line[word.upperBound...])
  }
}
