import Foundation
import GraphStoreSQLite

/// Writer of the external data of one transaction: writes files before it commits, removes them where it is
/// rolled back, and the files of replaced values after the commit (STO-178, STO-179).
package final class ExternalDataWriter {
  private let storage: ExternalStorage
  /// The folder of the store's files, whether it writes new ones or not.
  private let folder: ExternalDataFolder
  /// The files of the transaction, in the order in which they were written.
  private var written: [ExternalDataName] = []
  private var writtenNames: Set<ExternalDataName> = []
  /// The files of values that the transaction has replaced or deleted.
  private var replaced: [ExternalDataName] = []
  /// Those of them that rows name again, which were written with the values that they had.
  private var kept: Set<ExternalDataName> = []
  /// Data that are stored elsewhere from the commit on: in files of the store, or in memory where they were
  /// to be copied from a file and are in the row. Weak: data without a reference are not kept.
  private var moves: [Move] = []
  /// Whether data stay where they are after the commit: they are those of another store, which keeps them.
  package var copies = false
  /// The lengths of the lists when each open savepoint was set.
  private var savepoints: [(written: Int, replaced: Int, kept: Set<ExternalDataName>, moves: Int)] = []

  private struct Move {
    weak var data: ExternalData?
    let target: ExternalDataSource
  }

  package init(_ storage: ExternalStorage, _ folder: ExternalDataFolder) {
    self.storage = storage
    self.folder = folder
  }

  // MARK: Binding

  /// Assigns names to the data of rows that are to be written to files, where the threshold is so low that
  /// rows have them in place: statements that run again then write no second file.
  package func nameData(of save: SaveRequest) {
    guard !copies, case .files(let threshold) = storage, threshold < RowBlock.inlineLimit else { return }
    for row in save.insertions.map(\.row) + save.updates.map(\.row) where row.layout.hasExternalData {
      row.block.nameExternalData(of: row.index, largerThan: threshold)
    }
  }

  /// Binds a value as the store keeps it, after its file was written where it gets one.
  package func bind(_ row: Row, _ slot: Int, to statement: SQLiteStatement, at parameter: Int) throws {
    let bytes = unsafe row.block.bytes(row.index, slot)
    switch (unsafe ExternalColumn(bytes), storage) {
    case (nil, _):
      throw GraphStoreError(
        .internalInconsistency, "A row has a value with external storage that is of no such form.",
        remedy: "This is a defect of the library; please report it.")
    case (.inline(let data), .files(let threshold)) where copies && data.count > threshold:
      let name = ExternalDataName()
      try unsafe write(name, from: .memory(Data(data)))
      try bind(ExternalColumn.bytes(file: name), to: statement, at: parameter)
    case (.inline(let data), .unprefixed):
      try unsafe statement.bind(bytes: UnsafeRawBufferPointer(data), at: parameter)
    case (.inline, _):
      try unsafe statement.bind(bytes: UnsafeRawBufferPointer(bytes), at: parameter)
    case (.file(let name), _):
      try bind(name, of: row.block.externalData, to: statement, at: parameter)
    }
  }

  private func bind(
    _ name: ExternalDataName, of table: ExternalDataTable?, to statement: SQLiteStatement, at parameter: Int
  ) throws {
    guard let named = table?[name] else { throw GraphStoreError.missingExternalData(at: "\(name)") }
    let source = named.source
    if case .folder(let own) = source, own === folder {
      kept.insert(name)
      return try bind(ExternalColumn.bytes(file: name), to: statement, at: parameter)
    }
    if case .files(let threshold) = storage {
      guard let size = source.size(name) else { throw named.missing() }
      if size > threshold {
        try write(name, from: source)
        if !copies { moves.append(Move(data: named, target: .folder(folder))) }
        return try bind(ExternalColumn.bytes(file: name), to: statement, at: parameter)
      }
    }
    guard let data = source.data(name) else { throw named.missing() }
    if case .file = source, !copies { moves.append(Move(data: named, target: .memory(Data(Array(data))))) }
    if case .unprefixed = storage { return try bind(Array(data), to: statement, at: parameter) }
    try bind(ExternalColumn.bytes(inline: data), to: statement, at: parameter)
  }

  private func bind(_ bytes: [UInt8], to statement: SQLiteStatement, at parameter: Int) throws {
    try unsafe bytes.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: parameter) }
  }

  /// Writes a file, once in a transaction: a statement that is run again names the same one.
  private func write(_ name: ExternalDataName, from source: ExternalDataSource) throws {
    guard !writtenNames.contains(name) else { return }
    try folder.write(name, from: source)
    written.append(name)
    writtenNames.insert(name)
  }

  /// Records a column's value that the transaction replaces or deletes.
  package func replace(_ column: UnsafeBufferPointer<UInt8>) {
    guard case .file(let name)? = unsafe ExternalColumn(column) else { return }
    replaced.append(name)
    kept.remove(name)
  }

  // MARK: Ending

  package func setSavepoint() { savepoints.append((written.count, replaced.count, kept, moves.count)) }

  package func releaseSavepoint() { _ = savepoints.popLast() }

  package func rollbackToSavepoint() {
    guard let savepoint = savepoints.popLast() else { return }
    rollBack(from: savepoint.written)
    replaced.removeSubrange(savepoint.replaced...)
    kept = savepoint.kept
    moves.removeSubrange(savepoint.moves...)
  }

  package func rollback() {
    rollBack(from: 0)
    (replaced, kept) = ([], [])
    moves = []
  }

  private func rollBack(from position: Int) {
    guard position < written.count else { return }
    folder.remove(written[position...])
    writtenNames.subtract(written[position...])
    written.removeSubrange(position...)
  }

  /// Makes durable that the new files are there, before the transaction commits.
  package func flush() throws {
    if !written.isEmpty { try folder.flush() }
  }

  /// Releases data that are in files now, and the files of values that are gone.
  ///
  /// - Parameter commit: How many commits the store's row cache knew before this one.
  package func commit(_ commit: Int) {
    for move in moves { move.data?.source = move.target }
    folder.retire(replaced.filter { !kept.contains($0) }, commit: commit + 1)
  }
}
