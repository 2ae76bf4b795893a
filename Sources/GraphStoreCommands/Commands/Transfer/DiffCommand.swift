import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore diff A B`
struct DiffCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare the objects of two stores, property by property.",
    discussion: """
      + is only in B, - only in A, ~ in both with another value, ! what only one model has, or what does not compare. \
      Objects are the same where their ids are; --key names attributes by which they are known instead, of all entities \
      that have them, or of one: Employee.badge. Copies of one store can be compared, and \
      with --without-log a store with what its main file alone would show if it had been copied without its log.

      --format script writes statements that graphstore run executes on A, or on a copy of it, to make it what B is.

      graphstore diff hr.db copy.db --exit-code
      graphstore diff monday.db friday.db --key email --entity Employee
      graphstore diff hr.db new.db --format script | graphstore run - --store hr.db
      graphstore diff hr.db --without-log
      """)

  @Argument(help: ArgumentHelp("The store that is compared.", valueName: "a"), completion: .file())
  var first: String
  @Argument(help: ArgumentHelp("The store that it is compared with.", valueName: "b"), completion: .file())
  var second: String?
  @Option(
    help: ArgumentHelp("Only objects of these entities, and of those below them.", valueName: "entities"))
  var entity: [String] = []
  @Option(
    help: ArgumentHelp("Attributes by which objects are the same, instead of ids.", valueName: "attributes"))
  var key: [String] = []
  @Flag(
    name: .customLong("without-log"), help: "Compare the main file alone with the store as it is.")
  var withoutLog = false
  @Option(
    name: [.customLong("format"), .customShort("f")], help: "Form: text, json, ndjson or script.")
  var format: DifferenceFormat?
  @Flag(help: "Same as --format json.") var json = false
  @Flag(help: "Same as --format ndjson.") var ndjson = false
  @Flag(name: .customLong("exit-code"), help: "Exit 2 if they differ.") var exitCode = false
  @OptionGroup var output: OutputFileOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var idleOptions: IdleStoreOptions? {
    IdleStoreOptions(
      options: [.store, .readOnly, .trace], reason: "diff reads the stores that are named, and changes none")
  }

  func validate() throws {
    if [format != nil, json, ndjson].filter({ $0 }).count > 1 {
      throw ValidationError("Give one of --format, --json and --ndjson.")
    }
    if withoutLog != (second == nil) {
      throw ValidationError(
        withoutLog ? "--without-log takes one store." : "diff takes two stores, or one and --without-log.")
    }
    if chosenFormat == .script, !key.isEmpty {
      throw ValidationError("A script names objects by their ids: --format script goes without --key.")
    }
  }

  func adjust(_ settings: inout CommandSettings) throws {
    try options.apply(to: &settings)
    settings.apply(output)
  }

  /// The form asked for by an option, or by the name of the file.
  private var chosenFormat: DifferenceFormat {
    if let format { return format }
    if json { return .json }
    if ndjson { return .ndjson }
    switch output.path.flatMap({ OutputFormat(path: $0) }) {
    case .json: return .json
    case .ndjson: return .ndjson
    default: return .text
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    try session.confirmOutput()
    let stores = try ComparedStores(first, second, in: session)
    defer { stores.close() }
    let comparison = try StoreComparison(
      stores.old, stores.new, entities: entity.isEmpty ? nil : names(entity), keys: try keys(of: stores))
    try session.withOutput { output in
      let writer = chosenFormat.writer(
        comparison, names: stores.names, to: output, terminal: session.outputTerminal)
      writer.begin(comparison.mismatches)
      try comparison.run { difference in
        try session.interruption.check()
        try writer.write(difference)
      }
      try writer.end(comparison.counts)
    }
    let counts = comparison.counts
    session.inform(summary(counts, comparison))
    let differs = !counts.isEmpty || !comparison.mismatches.isEmpty
    return exitCode && differs ? .negativeAnswer : .success
  }

  private func summary(_ counts: StoreDifferenceCounts, _ comparison: StoreComparison) -> String {
    guard !counts.isEmpty else { return "\(comparison.compared.grouped) objects compared, no difference" }
    return
      "\(counts.added.grouped) added, \(counts.removed.grouped) removed, \(counts.changed.grouped) changed"
  }

  private func names(_ lists: [String]) -> [String] {
    lists.flatMap { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } }
  }

  /// The keys by entity: those that name one are its own; the others are of each entity that has them all, or
  /// the only one that there is.
  private func keys(of stores: ComparedStores) throws -> [String: [String]] {
    var keys: [String: [String]] = [:]
    var shared: [String] = []
    for name in names(key) {
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      if parts.count == 2, stores.old.form.model.entitiesByName[parts[0]] != nil {
        keys[parts[0], default: []].append(parts[1])
      } else {
        shared.append(name)
      }
    }
    guard !shared.isEmpty else { return keys }
    var isUsed = false
    for shape in stores.old.shapes {
      let entity = shape.entity
      guard keys[entity.name] == nil, shared.allSatisfy({ shape.column(named: $0) != nil }) else { continue }
      keys[entity.name] = shared
      isUsed = true
    }
    if !isUsed {
      throw Diagnostic(
        code: GraphStoreError.Code.unknownKey.rawValue,
        message: "no entity has \(shared.joined(separator: ", "))",
        hints: ["the key of one entity is written as Entity.attribute"], property: shared[0],
        exitCode: .usage)
    }
    return keys
  }
}

extension DifferenceFormat: ExpressibleByArgument {}
