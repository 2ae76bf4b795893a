import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore history`
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Say who changed what, and keep a history at all.",
    subcommands: [
      HistoryListCommand.self, HistoryEnableCommand.self, HistoryDisableCommand.self,
      HistoryPurgeCommand.self, HistoryConsumersCommand.self,
    ],
    defaultSubcommand: HistoryListCommand.self)
}

/// `graphstore history list`
struct HistoryListCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Print transactions and their changes, oldest first.",
    discussion: """
      The last line is the token from which the next call goes on with --since; in the forms csv, tsv, markdown, html and json \
      it is told on standard error.

      graphstore history --since 2026-01-31T12:00:00Z --author import
      graphstore history --entity Employee --ndjson
      graphstore history --object Employee/p3
      graphstore history --follow --ndjson
      """)

  @Option(help: ArgumentHelp("What came after a token, or a time.", valueName: "token|time")) var since:
    String?
  @Option(help: ArgumentHelp("Transactions of one author.", valueName: "name")) var author: String?
  @Option(
    help: ArgumentHelp("Changes of one entity's objects, and of its sub-entities'.", valueName: "entity"))
  var entity: String?
  @Option(help: ArgumentHelp("Changes of one object.", valueName: "id")) var object: String?
  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Predicate over transactions and changes: author, contextName, timestamp, transactionNumber, changeType, "
        + "changedEntity, updatedProperties, tombstone.", valueName: "predicate"))
  var predicate: String?
  @Option(help: ArgumentHelp("At most so many transactions.", valueName: "n")) var limit: Int?
  @Flag(help: "Go on with what is committed, until Ctrl-C.") var follow = false
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var idleOptions: IdleStoreOptions? { .ofUntracedWork }

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1.") }
    if follow, limit != nil { throw ValidationError("--follow has no end; leave out --limit.") }
    if follow, let format = output.askedFormat, ![.ndjson, .line, .csv, .tsv].contains(format) {
      throw ValidationError("--follow prints a row at a time: --format ndjson, line, csv or tsv.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let context = try session.context(.read)
    var request = try request(in: session, context)
    let format = session.settings.format ?? (follow ? .ndjson : .table)
    let rows = HistoryRows(format: format)
    if follow {
      try session.requireCommits(of: context.coordinator, for: "history --follow")
      return try session.followingOutput {
        try namingPredicate { try rows.follow(request, in: session, context) }
      }
    }
    request.fetchLimit = limit ?? 0
    try session.keepingOutput {
      let token = try namingPredicate {
        try session.write(default: .table, rows.task(request, in: session, context))
      }
      switch format {
      case .ndjson: try session.printJSON { HistoryRows.append(token, to: $0) }
      case .table, .line: try session.print(["token: \(token)"])
      case .csv, .tsv, .markdown, .html, .json, .ids:
        session.summarize("token: \(token)") { HistoryRows.append(token, to: $0) }
      }
    }
    return .success
  }

  /// Runs a body whose errors about the predicate are to show its text.
  private func namingPredicate<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch var error as QueryPredicateError {
      if error.source == nil { error.source = predicate }
      throw error
    }
  }

  private func request(
    in session: CommandSession, _ context: ManagedObjectContext
  ) throws -> PersistentHistoryChangeRequest {
    var request = try HistoryPlaceText.request(since: since)
    var conditions: [QueryPredicate] = []
    if let author {
      let condition = try QueryPredicate(parsing: "author == $AUTHOR")
      conditions.append(try condition.substituting(["AUTHOR": Value.string(author)]))
    }
    if let predicate { conditions.append(try condition(predicate)) }
    if !conditions.isEmpty { request.predicate = conditions.count == 1 ? conditions[0] : .and(conditions) }
    if let entity { request.changedEntity = try context.coordinator.managedObjectModel.entity(named: entity) }
    if let object { request.changedObjectID = try session.identifier(object) }
    return request
  }

  private func condition(_ text: String) throws -> QueryPredicate {
    let condition = try QueryPredicate(parsing: text)
    guard let variable = condition.names.variables.first else { return condition }
    throw Diagnostic(
      code: "usage", message: "the predicate of a history takes no variables, and has $\(variable)",
      hints: ["write the value in its place"], exitCode: .usage)
  }
}

extension CommandSession {
  /// The coordinator of the store, for what changes the history that it keeps.
  ///
  /// - Throws: `usage` within a transaction of the session, which such a change cannot be part of.
  fileprivate func coordinatorForHistory() throws -> PersistentStoreCoordinator {
    let coordinator = try coordinator(.write)
    guard coordinator.currentTransaction != nil else { return coordinator }
    throw Diagnostic(
      code: "usage", message: "which history is kept cannot be changed within a transaction",
      hints: ["commit the transaction first"], exitCode: .usage)
  }
}

/// `graphstore history enable`
struct HistoryEnableCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Keep a history of changes from now on, whoever writes.")

  @OptionGroup var options: StoreCommandOptions

  var writesStoreItself: Bool { true }

  var idleOptions: IdleStoreOptions? { .ofUntracedWork }

  func execute(in session: CommandSession) throws -> ExitCode {
    let coordinator = try session.coordinatorForHistory()
    for store in coordinator.persistentStores { try coordinator.enableHistoryTracking(of: store) }
    session.inform("a history is kept from now on")
    return .success
  }
}

/// `graphstore history disable`
struct HistoryDisableCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Keep no history any more, and remove what there is.")

  @OptionGroup var options: AskingStoreCommandOptions

  var writesStoreItself: Bool { true }

  var idleOptions: IdleStoreOptions? { .ofUntracedWork }

  func execute(in session: CommandSession) throws -> ExitCode {
    let coordinator = try session.coordinatorForHistory()
    let lines = try coordinator.persistentStores.compactMap { store -> String? in
      try coordinator.historyUsage(of: store).map {
        "\(store.path): \($0.transactions.grouped) transactions, \($0.changes.grouped) changes"
      }
    }
    guard !lines.isEmpty else {
      session.inform("no history is kept")
      return .success
    }
    let action = "remove the history"
    try session.requireConsent(for: action, showing: lines)
    try session.confirm(action, showing: lines)
    for store in coordinator.persistentStores { try coordinator.disableHistoryTracking(of: store) }
    session.inform("the history was removed, and none is kept")
    return .success
  }
}

/// `graphstore history purge`
struct HistoryPurgeCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge", abstract: "Remove transactions that nobody needs any more.",
    discussion: """
      --before removes what is older than a token's transaction, or than a time. --read-by-all removes what every reader \
      that is registered has read, and nothing where none is; together with --before, what is both.

      graphstore history purge --before 2026-01-31 --yes
      graphstore history purge --read-by-all --yes
      """)

  @Option(help: ArgumentHelp("Older than a token, or a time.", valueName: "token|time")) var before: String?
  @Flag(name: .customLong("read-by-all"), help: "Read by all registered readers.") var readByAll = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: AskingStoreCommandOptions

  var writesStoreItself: Bool { true }

  var idleOptions: IdleStoreOptions? { .ofUntracedWork }

  func validate() throws {
    guard before != nil || readByAll else {
      throw ValidationError("Say what is to be removed: --before TOKEN|TIME, or --read-by-all.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    _ = try session.coordinatorForHistory()
    let context = try session.context(.write)
    let place = try before.map(HistoryPlaceText.init)
    let action = "remove \(readByAll ? "what all readers have read" : "transactions") from the history"
    try session.requireConsent(for: action)
    try session.confirm(action)
    let count = try remove(place, in: context)
    if json {
      try session.telling("the history is purged") {
        try session.print(ChangeCounts(counts: [("removed", count)], isDryRun: false))
      }
    } else {
      session.inform("removed \(count.grouped) transaction\(count == 1 ? "" : "s")")
    }
    return .success
  }

  private func remove(_ place: HistoryPlaceText?, in context: ManagedObjectContext) throws -> Int {
    guard readByAll else { return try context.execute(place!.deletion).count }
    guard case .token? = place else {
      return try context.coordinator.deleteHistory(readByAllConsumers: true, olderThan: place?.date)
    }
    throw Diagnostic(
      code: "usage", message: "--read-by-all goes with a time, not with a token",
      hints: ["give --before a time, or leave it out"], exitCode: .usage)
  }
}

/// `graphstore history consumers`
struct HistoryConsumersCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "consumers", abstract: "List who reads the history, and up to where each has.",
    discussion: """
      A program registers its name, and says up to where it has read: what all have read can be purged. \
      --set does that for a script, --remove forgets a reader.

      graphstore history consumers --add mirror
      """)

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Note up to where a reader has read.", valueName: "name=token"))
  var progress: String?
  @Option(
    name: .customLong("add"),
    help: ArgumentHelp("Register a reader, which has read nothing yet.", valueName: "name"))
  var newName: String?
  @Option(name: .customLong("remove"), help: ArgumentHelp("Forget a reader.", valueName: "name"))
  var formerName: String?
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var writesStoreItself: Bool { progress != nil || newName != nil || formerName != nil }

  var idleOptions: IdleStoreOptions? { .ofUntracedWork }

  func execute(in session: CommandSession) throws -> ExitCode {
    let coordinator = try writesStoreItself ? session.coordinatorForHistory() : session.coordinator(.read)
    if let newName {
      for store in coordinator.persistentStores {
        try coordinator.registerHistoryConsumer(named: newName, of: store)
      }
    }
    if let progress {
      // Names may have the sign, tokens have none.
      guard let sign = progress.lastIndex(of: "="),
        let token = PersistentHistoryToken(String(progress[progress.index(after: sign)...]))
      else {
        throw Diagnostic(
          code: "usage", message: "--set takes NAME=TOKEN, a token as history list prints it",
          exitCode: .usage)
      }
      let name = String(progress[..<sign])
      try requireConsumer(name, of: coordinator)
      try coordinator.updateHistoryConsumer(named: name, to: token)
    }
    if let formerName {
      try requireConsumer(formerName, of: coordinator)
      try coordinator.removeHistoryConsumer(named: formerName)
    }
    let names = ["name", "token", "updated"]
    let tables = try coordinator.historyConsumers().map { consumer in
      PropertyTable(
        names: names,
        values: [.string(consumer.name), .string("\(consumer.token)"), .date(consumer.updated)])
    }
    try session.write(
      default: .table,
      PropertyTables(tables: tables, names: names, format: session.settings.format ?? .table))
    return .success
  }

  /// - Throws: `usage` for a name that nobody is registered under.
  private func requireConsumer(_ name: String, of coordinator: PersistentStoreCoordinator) throws {
    let known = try coordinator.historyConsumers().map(\.name)
    if known.contains(name) { return }
    var diagnostic = Diagnostic(
      code: "usage", message: "no reader is registered as \"\(name)\"",
      hints: [known.isEmpty ? "register it with --add" : "registered are \(known.joined(separator: ", "))"],
      exitCode: .usage)
    diagnostic.suggestions = NearestNames.names(near: name, among: known)
    throw diagnostic
  }
}
