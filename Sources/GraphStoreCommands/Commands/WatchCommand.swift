import ArgumentParser
import Dispatch
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore watch ENTITY`
struct WatchCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print what is inserted, deleted, moved and updated, as it is committed.",
    discussion: """
      Follows the commits of all programs, until Ctrl-C. On a terminal the table of the objects is drawn anew after each; \
      elsewhere, and with --ndjson, each event is a line of JSON: event (delete, insert, move, update), id, index, from for a \
      move, and the object. Only what is printed counts: give --fields for what is to be followed. Changes of links that \
      are not printed are told by graphstore history --follow, where the store keeps one.

      graphstore watch Employee --where 'salary > 50000' --sort -salary
      graphstore watch Employee --fields salary --count 1 --for 60
      """)

  /// Beyond so many rows a predicate is asked for: all of them are kept in memory.
  static let limit = 1_000_000

  @Argument(help: "Entity.") var entity: String
  @OptionGroup var query: QueryOptions
  @Option(help: ArgumentHelp("End after so many events.", valueName: "n")) var count: Int?
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("End after so long; exit 2 if --count was not reached.", valueName: "seconds"))
  var duration: Double?
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var usualFormat: OutputFormat { .ndjson }

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count takes a number from 1.") }
    if let duration, !(duration >= 0 && duration < 1e9) {
      throw ValidationError("--for takes a number of seconds.")
    }
    if let format = output.askedFormat, ![.ndjson, .table].contains(format) {
      throw ValidationError("watch prints a table that is drawn anew, or --ndjson.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let context = try session.context(.read)
    let description = try session.entity(entity)
    let request = try session.query(try query.text(in: session), for: description)
    guard request.request.resultType != .dictionary, request.request.resultType != .count else {
      throw Diagnostic(
        code: "usage", message: "groups and numbers cannot be watched", hints: ["watch objects"],
        exitCode: .usage)
    }
    if !query.filter.selects, try context.count(for: request.request) > Self.limit {
      throw Diagnostic(
        code: "usage", message: "more than \(Self.limit.grouped) objects would be watched",
        hints: ["choose some with --where"], exitCode: .usage)
    }
    try session.requireCommits(of: context.coordinator, for: "watch")
    return try session.followingOutput { try follow(request, in: session, context) }
  }

  private func follow(
    _ request: EntityQuery, in session: CommandSession, _ context: ManagedObjectContext
  ) throws -> ExitCode {
    let isTable = session.settings.format.map { $0 == .table } ?? session.outputTerminal.isTerminal
    // Before the first look, so that no commit is missed.
    let commits = try CommitSignal(context.coordinator)
    var watched = try WatchedList(request, fields: query.fields, in: session)
    if isTable { try draw(request, in: session) }
    let deadline = duration.map { DispatchTime.now() + $0 } ?? .distantFuture
    var told = 0
    while count.map({ told < $0 }) ?? true {
      guard try commits.wait(until: deadline, checking: { try session.interruption.check() }) else {
        return count == nil ? .success : .negativeAnswer
      }
      let lines = try watched.events(in: session)
      if lines.isEmpty { continue }
      let shown = lines.prefix(count.map { $0 - told } ?? lines.count)
      told += shown.count
      if isTable { try draw(request, in: session) } else { try session.print(Array(shown)) }
    }
    return .success
  }

  /// Draws the table from the upper left corner of a terminal on; elsewhere one below the other.
  private func draw(_ request: EntityQuery, in session: CommandSession) throws {
    let columns = try ResultColumns(
      try session.entity(entity), in: session.context(.read).coordinator, fields: query.fields,
      variables: request.request.variables, format: .table,
      showsIdentifier: session.settings.showsIdentifier)
    if session.outputTerminal.isTerminal { try session.clearScreen() }
    let context = ManagedObjectContext(coordinator: try session.context(.read).coordinator)
    _ = try context.performAndWait {
      try session.write(
        FieldsTask(
          context: context, query: request, columns: columns, interruption: session.interruption,
          decodes: session.settings.decodes))
    }
  }
}

/// The list that a watch follows, as it was looked at last.
private struct WatchedList {
  private let request: EntityQuery
  private let columns: ResultColumns
  private var rows: [(id: String, shown: String)] = []

  init(_ request: EntityQuery, fields: String?, in session: CommandSession) throws {
    self.request = request
    let key = request.entity.identifierKey
    // The id of each object comes first, whatever else is shown.
    let shown = fields.map { "\(key),\($0)" }
    columns = try ResultColumns(
      request.entity, in: session.context(.read).coordinator, fields: shown,
      variables: request.request.variables, format: .ndjson, showsIdentifier: true)
    rows = try read(in: session)
  }

  /// The objects as lines of JSON, which begin with the id.
  private func read(in session: CommandSession) throws -> [(id: String, shown: String)] {
    let output = OutputBuffer.memory()
    let context = ManagedObjectContext(coordinator: try session.context(.read).coordinator)
    let task = FieldsTask(
      context: context, query: request, columns: columns, interruption: session.interruption,
      decodes: session.settings.decodes)
    _ = try context.performAndWait {
      try task.write(as: .ndjson, to: output, options: session.resultOptions)
    }
    return output.consumeString().split(separator: "\n").map { line in
      let parts = line.split(separator: "\"", maxSplits: 4, omittingEmptySubsequences: false)
      return (id: parts.count > 3 ? String(parts[3]) : String(line), shown: String(line))
    }
  }

  /// Looks again.
  ///
  /// - Returns: What has happened since, as lines of JSON.
  mutating func events(in session: CommandSession) throws -> [String] {
    let present = try read(in: session)
    let difference = ListDifference(from: rows, to: present)
    defer { rows = present }
    return difference.events.map { event in
      switch event {
      case .delete(let id, let index): Self.line("delete", id, index, nil)
      case .insert(let id, let index): Self.line("insert", id, index, present[index].shown)
      case .move(let id, let former, let index):
        Self.line("move", id, index, present[index].shown, from: former)
      case .update(let id, let index): Self.line("update", id, index, present[index].shown)
      }
    }
  }

  private static func line(
    _ event: String, _ id: String, _ index: Int, _ object: String?, from former: Int? = nil
  ) -> String {
    let place = former.map { ",\"from\":\($0)" } ?? ""
    let shown = object.map { ",\"object\":\($0)" } ?? ""
    return "{\"event\":\"\(event)\",\"id\":\"\(id)\",\"index\":\(index)\(place)\(shown)}"
  }
}
