import GraphStore
import GraphStoreReports

/// State that the passes of an import share: settings, rejects, and how problems are reported.
final class ImportWork {
  let settings: ImportSettings
  let rejects: RejectBook
  let sources: ImportSources
  let interruption: StatementInterruption
  /// Where progress is shown; nil shows none.
  let terminal: TerminalInfo?
  /// How many records the input has, as far as it was read.
  var read = 0
  /// How many records batches have committed.
  var committed = 0
  /// How many records are put aside until all others are there.
  var waiting = 0
  private(set) var ignoredNames: [String] = []
  private(set) var proposedMaps: [String] = []
  private(set) var foundDelimiters: [FoundDelimiter] = []

  init(
    _ settings: ImportSettings, rejects: RejectBook, sources: ImportSources,
    interruption: StatementInterruption, terminal: TerminalInfo?
  ) {
    self.settings = settings
    self.rejects = rejects
    self.sources = sources
    self.interruption = interruption
    self.terminal = terminal
  }

  var skips: Bool { settings.options.skipsFailures }

  /// Records a name that is left out, once.
  func ignore(_ name: String, proposing map: String?) {
    guard !ignoredNames.contains(name) else { return }
    ignoredNames.append(name)
    if let map { proposedMaps.append(map) }
  }

  /// Records what divides the columns of a table where it was found in the header and is no comma, once.
  func noteDelimiter(of input: ImportInput) {
    let path = input.source.path
    guard settings.sources.contains(where: { $0.path == path && $0.delimiter == nil }),
      let delimiter = input.source.delimiter, delimiter != .comma,
      !foundDelimiters.contains(where: { $0.path == path })
    else { return }
    foundDelimiters.append(FoundDelimiter(path: path, delimiter: delimiter))
  }

  // MARK: Problems

  /// Puts the records of failures aside, or ends the import by them.
  ///
  /// - Parameter texts: the texts of the batch; nil where they are gone.
  func reject(_ failures: [ImportFailure], texts: RecordTexts?, earlier: [ImportProblem] = []) throws {
    var problems = earlier
    for failure in failures {
      let errors = failure.error.errors.isEmpty ? [failure.error] : failure.error.errors
      var found = errors.map {
        problem($0, record: failure.record, line: failure.line, texts: texts)
      }
      if skips {
        found = [ImportProblem(joining: found)]
        found[0].row = texts?.row(failure.record) ?? []
      }
      problems += found
    }
    for index in problems.indices { problems[index].file = file(of: problems[index]) }
    guard skips else {
      if problems.isEmpty { return }
      throw Diagnostic(problems, file: sources.path(ofRecord: problems.map(\.record).min() ?? 1))
    }
    for problem in problems { try rejects.add(problem) }
  }

  /// The problem of a record that a rule refuses, with the place of the value in its text.
  func problem(_ error: GraphStoreError, record: Int, line: Int, texts: RecordTexts?) -> ImportProblem {
    var problem = ImportProblem(error, record: record, line: line)
    if let hint = conflictHint(error) ?? creationHint(error) { problem.hints.append(hint) }
    if let key = problem.key, let position = texts?.position(record, key: key) {
      problem.line = position.line
      problem.column = position.column
    }
    return problem
  }

  /// How a link is made that names an object by an attribute, and that there is not; nil where that was said.
  private func creationHint(_ error: GraphStoreError) -> String? {
    guard error.code == .unresolvedLink, !settings.options.createsLinks, !settings.options.keepsKeys,
      let property = error.property, settings.mapping.looksUp(property)
    else { return nil }
    return "objects that links name and that are not there are made with --create-links"
  }

  /// How a record is imported whose unique values an object has already; nil where that was said.
  private func conflictHint(_ error: GraphStoreError) -> String? {
    guard error.code == .constraintConflict, settings.options.conflictPolicy == .error,
      let property = error.property
    else { return nil }
    let constraints = error.objectID?.entity.uniquenessConstraints.map { $0.map(\.name) } ?? []
    let key = constraints.first { $0.contains(property) } ?? [property]
    guard let entity = error.objectID?.entity, key.allSatisfy({ entity.attribute(named: $0) != nil }) else {
      return "or take it for the object that is there, which import cannot by a relationship: "
        + "graphstore upsert \(error.entity ?? "ENTITY") - --key \(key.joined(separator: ","))"
    }
    return "or take it for the object that is there: "
      + "--key \(key.joined(separator: ",")) --on-conflict update (or ignore, or replace)"
  }

  /// The file of a problem where there are several.
  private func file(of problem: ImportProblem) -> String? {
    sources.count > 1 ? sources.path(ofRecord: problem.record) : nil
  }

  /// An error that ends an import by batch, with what is in the store already.
  func explained(_ error: any Error) -> any Error {
    guard var diagnostic = error as? Diagnostic else { return error }
    diagnostic.hints.removeAll { $0 == "nothing was written" }
    guard committed > 0 else {
      diagnostic.hints.append("nothing was written")
      return diagnostic
    }
    diagnostic.hints.append(
      committed == 1
        ? "1 record was committed before and stays" : "\(committed) records were committed before and stay")
    if waiting > 0 {
      diagnostic.hints.append(
        waiting == 1
          ? "1 record waited for what it refers to and was not written"
          : "\(waiting) records waited for what they refer to and were not written")
    }
    return diagnostic
  }
}
