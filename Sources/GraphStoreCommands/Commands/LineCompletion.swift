import ArgumentParser
import GraphStore
import GraphStoreReports

/// Completion of a line of the system's shell: what may stand at the cursor, as whole words.
///
/// Only the command that the line names is described, since the description of all takes longer than a person
/// who types should wait.
struct LineCompletion {
  private let session: CommandSession
  /// As many ids as a person reads.
  private static let mostIdentifiers = 100

  init(_ session: CommandSession) { self.session = session }

  /// The words that fit, each as a whole.
  ///
  /// - Parameter line: The line up to the cursor, with the name of the program.
  func candidates(for line: String) -> [String] {
    guard let blank = line.firstIndex(where: \.isWhitespace) else { return [] }
    let rest = String(line[blank...].drop(while: \.isWhitespace))
    let words = ShellLexer().partial(rest).words.map(\.text)
    if words.first == "help" { return fitting(Self.topics, rest) }
    let model = model(for: words)
    let source = SessionCompletions(
      model: { model },
      commands: { outlines(for: words.first) }, objects: identifiers)
    let completer = Completer(source: source, dotCommands: [], files: { _ in [] })
    let completion = completer.complete(rest, cursor: rest.utf8.count)
    return whole(completion, in: rest)
  }

  private static var topics: [String] {
    HelpTopic.allCases.map(\.rawValue) + RootCommand.commandNames + ErrorPage.all.map(\.code)
  }

  private func fitting(_ names: [String], _ line: String) -> [String] {
    let part = line.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
    return names.filter { $0.hasPrefix(part) }
  }

  /// The candidates with what stands before the part that they replace; a quote in front is the shell's.
  private func whole(_ completion: Completion, in line: String) -> [String] {
    let bytes = Array(line.utf8)
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    let start = bytes.lastIndex(where: isBlank).map { $0 + 1 } ?? 0
    guard completion.range.lowerBound >= start else { return [] }
    var before = String(decoding: bytes[start..<completion.range.lowerBound], as: UTF8.self)
    if before.hasPrefix("'") || before.hasPrefix("\"") { before.removeFirst() }
    return completion.candidates.map { before + $0.text }
  }

  // MARK: What the line is about

  /// The model of the store or the files that the line names. The store itself is opened only where nothing
  /// less has the names: with many entities that takes longer than all the rest.
  private func model(for words: [String]) -> ManagedObjectModel? {
    // Names of commands are no matter of a store.
    guard let name = words.first, RootCommand.command(named: name) != nil else { return givenModel }
    for (option, value) in zip(words, words.dropFirst()) {
      switch option {
      case "--store", "-s": session.settings.stores = [StoreName(value)]
      case "--model", "-m": session.settings.models = [value]
      default: break
      }
    }
    let settings = session.settings
    if settings.models.isEmpty, settings.stores.count == 1,
      let loaded = try? StoreModel.load(fromStoreAt: settings.stores[0].path, timeout: .zero)
    {
      return loaded.model
    }
    // What cannot be opened offers no names; the command itself will say why.
    return (try? session.context(.read))?.coordinator.managedObjectModel ?? givenModel
  }

  /// The model of a line that names no store, as init takes one.
  private var givenModel: ManagedObjectModel? { (try? session.givenModel()) ?? nil }

  private func outlines(for name: String?) -> [CompletionCommand] {
    guard let name, let command = RootCommand.command(named: name) else {
      return RootCommand.commandNames.map { CompletionCommand(name: $0) }
        + [CompletionCommand(name: "help")]
    }
    return [CommandOutlines.outline(of: command)]
  }

  private func identifiers(of entity: String) -> [String] {
    guard let context = try? session.context(.read) else { return [] }
    var request = FetchRequest<ManagedObject>(entityName: entity)
    request.fetchLimit = Self.mostIdentifiers
    return ((try? context.fetch(request)) ?? []).map(\.objectID).sorted().map(\.shortForm)
  }
}
