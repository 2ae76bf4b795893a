/// Fate of the parts of a store's file that are not in its model, for people (MIG-279).
struct ForeignPartsSurvey: Sendable {
  /// Data that are left behind.
  private(set) var losses: [MigrationLoss] = []
  /// One sentence each on parts that are copied, and on parts that are dropped and can be made again.
  private(set) var notices: [String] = []

  /// Nothing.
  init() {}

  /// - Parameters:
  ///   - parts: What the store has.
  ///   - kept: What the migrated one has.
  ///   - version: The version of the store.
  init(_ parts: ForeignParts, kept: ForeignParts, version: String) {
    for column in parts.columns where column.count > 0 {
      losses.append(
        MigrationLoss(
          version: version, path: "\(column.table).\(column.name)",
          reason: "the column is not the model's, and its values are left behind", count: column.count,
          remedy: "Copy them to a table of your own first, which is taken over."))
    }
    let keptTables = kept.tables.map(\.name)
    for table in parts.tables where !table.isEmpty && !keptTables.contains(table.name) {
      losses.append(
        MigrationLoss(
          version: version, path: table.name,
          reason: "the table is not the model's, and the new version has one of that name", count: nil,
          remedy: "Rename it first."))
    }
    let taken = keptTables.map { "the table \($0)" } + kept.indexes.map { "the index \($0.name)" }
    let keptIndexes = kept.indexes.map(\.name)
    let dropped =
      parts.columns.filter { $0.count == 0 }.map { "the column \($0.table).\($0.name)" }
      + parts.tables.filter { $0.isEmpty && !keptTables.contains($0.name) }.map { "the table \($0.name)" }
      + parts.indexes.filter { !keptIndexes.contains($0.name) }.map { "the index \($0.name)" } + parts.others
    if !taken.isEmpty { notices.append("Not the model's, and taken over: \(taken.joined(separator: ", ")).") }
    if !dropped.isEmpty {
      notices.append("Not the model's, and not taken over: \(dropped.joined(separator: ", ")).")
    }
  }

  /// Adds who waits while a store on a server is migrated.
  mutating func addLocks() {
    notices.append(
      "The store is on a server: others wait to write until the end. Where its tables are only altered, those "
        + "who read wait too; else they go on, but for a moment at the end, and the steps run over a copy in the "
        + "folder for temporary files.")
  }

  /// Adds what others have made of the tables of a store on a server.
  mutating func addAdditions(_ parts: [String]) {
    guard !parts.isEmpty else { return }
    notices.append(
      "Not the model's, kept where tables are altered, and left behind with the former store otherwise: "
        + "\(parts.joined(separator: ", ")).")
  }

  /// Adds that the history begins anew.
  mutating func addEndOfHistory() {
    notices.append(
      "The history begins anew behind a written mapping: what was read of it has expired (history-expired).")
  }
}
