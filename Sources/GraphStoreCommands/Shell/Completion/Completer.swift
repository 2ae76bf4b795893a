/// Completes the word before the cursor: commands, then entities, options, assignments, and predicates step
/// by step.
///
/// A pure function of the text, the command tree, the model and the session's variables.
struct Completer {
  let source: any CompletionSource
  /// The dot commands of the session.
  var dotCommands: [DotCommand] = DotCommand.allCases
  var settings = ShellSettings()
  var formatNames: [String] = []
  /// The contexts of the session.
  var contexts: () -> [ContextStatus] = { [] }
  /// The names of the statements that are kept.
  var queryNames: () -> [String] = { [] }
  /// The lines of the open block before this one.
  var preceding: [String] = []
  /// Names in a folder; those of subfolders end in `/`.
  var files: (_ folder: String) -> [String] = FileNames.list

  /// - Parameters:
  ///   - line: the line being typed.
  ///   - cursor: UTF-8 bytes before the cursor.
  func complete(_ line: String, cursor: Int) -> Completion {
    let before = String(decoding: line.utf8.prefix(cursor), as: UTF8.self)
    var lexer = ShellLexer()
    for line in preceding { _ = lexer.feed(line) }
    let partial = lexer.partial(before)
    let end = before.utf8.count
    guard !partial.isComment else { return Completion(range: end..<end, candidates: []) }
    let word = Word(partial.current, end: end)
    let words = partial.words.map(\.text)
    guard let first = words.first else {
      return word.completion(of: firstWords(word.text))
    }
    if first.hasPrefix(".") { return dotArgument(word, of: first, after: Array(words.dropFirst())) }
    guard var command = source.commands.first(where: { $0.name == first }) else {
      return word.completion(of: [String]())
    }
    var rest = words.dropFirst()
    while let name = rest.first, let sub = command.subcommands.first(where: { $0.name == name }) {
      command = sub
      rest = rest.dropFirst()
    }
    return argument(of: command, rest: Array(rest), word, isRaw: partial.current?.isRaw ?? false)
  }

  /// The word before the cursor and where it stands.
  struct Word {
    var text: String
    var end: Int
    var quote: ShellOpener?
    var isRaw = false

    init(_ current: ShellPartial.Current?, end: Int) {
      text = current?.text ?? ""
      quote = current?.quote
      isRaw = current?.isRaw ?? false
      self.end = end
    }

    /// Candidates that begin with the last part of the word replace that part.
    func completion(of names: [Completion.Candidate], replacing part: String? = nil, endsWord: Bool = true)
      -> Completion
    {
      let part = part ?? text
      let fitting = names.filter { $0.text.hasPrefix(part) }
      let folded =
        fitting.isEmpty ? names.filter { $0.text.lowercased().hasPrefix(part.lowercased()) } : fitting
      return Completion(
        range: max(0, end - part.utf8.count)..<end, candidates: folded, endsWord: endsWord && quote == nil)
    }

    func completion(of names: [String], replacing part: String? = nil, endsWord: Bool = true) -> Completion {
      completion(of: names.map { Completion.Candidate($0) }, replacing: part, endsWord: endsWord)
    }
  }

  // MARK: Words

  private func firstWords(_ text: String) -> [String] {
    text.hasPrefix(".") ? dotCommands.map(\.name) : source.commands.map(\.name)
  }

  /// - Parameter before: The arguments before the word.
  private func dotArgument(_ word: Word, of name: String, after before: [String]) -> Completion {
    guard let command = DotCommand(word: name), dotCommands.contains(command) else {
      return word.completion(of: [String]())
    }
    if command == .context { return word.completion(of: contextWords(before)) }
    if command == .fields, before.count == 1 { return keyPaths(word, before[0]) }
    if command == .query, before.count == 1 { return word.completion(of: queryNames()) }
    guard before.isEmpty else { return word.completion(of: [String]()) }
    switch command {
    case .schema, .fields: return word.completion(of: source.entities)
    case .read, .open, .output, .once: return file(word)
    case .color: return word.completion(of: When.allCases.map(\.rawValue))
    case .query: return word.completion(of: QueryAction.allCases.map(\.rawValue))
    case .timer, .explain, .echo, .bail: return word.completion(of: ["on", "off"])
    case .policy: return word.completion(of: SaveConflictPolicy.allCases.map(\.rawValue))
    case .format: return word.completion(of: formatNames)
    case .help:
      return word.completion(
        of: source.commands.map(\.name) + dotCommands.map(\.rawValue).sorted() + ["keys"])
    default: return word.completion(of: [String]())
    }
  }

  /// The words of `.context`, then the contexts that may be meant.
  private func contextWords(_ before: [String]) -> [String] {
    switch before.first.map(ContextAction.init(rawValue:)) {
    case nil: ContextAction.allCases.map(\.rawValue)
    case .new where before.count == 1: ["--scratch"]
    case .switch where before.count == 1: contexts().filter { !$0.isPresent }.map(\.name)
    case .drop where before.count == 1: droppableContexts()
    default: []
    }
  }

  private func droppableContexts() -> [String] {
    let contexts = contexts()
    return contexts.map(\.name).filter { name in
      name != SessionContexts.mainName && !contexts.contains { $0.parent == name }
    }
  }

  private func argument(
    of command: CompletionCommand, rest: [String], _ word: Word, isRaw: Bool
  ) -> Completion {
    let entity = entity(of: command, rest)
    if isRaw { return predicate(word, entity) }
    if let last = rest.last, let kind = command.options.first(where: { $0.name == last })?.value {
      return value(of: kind, word, entity)
    }
    if word.text.hasPrefix("-"), word.quote == nil {
      return option(of: command, word, entity)
    }
    let position = positionals(of: command, rest).count
    if position == 0, !command.subcommands.isEmpty {
      return word.completion(of: command.subcommands.map(\.name))
    }
    var completion: Completion
    if let kind = kind(of: position, in: command) {
      completion = value(of: kind, word, entity)
    } else {
      completion = word.completion(of: [String]())
    }
    if position > 0, word.text.isEmpty || "where".hasPrefix(word.text),
      command.options.contains(where: { $0.name == "--where" })
    {
      let found = completion.candidates + [Completion.Candidate("where")]
      completion = Completion(range: word.end - word.text.utf8.count..<word.end, candidates: found)
    }
    if word.text.isEmpty, position > 0 {
      completion.candidates += command.options.filter { $0.name.hasPrefix("--") }
        .map { Completion.Candidate($0.name) }
    }
    return completion
  }

  private func kind(of position: Int, in command: CompletionCommand) -> CompletionCommand.Kind? {
    if position < command.arguments.count { return command.arguments[position] }
    return command.repeatsLastArgument ? command.arguments.last : nil
  }

  private func option(of command: CompletionCommand, _ word: Word, _ entity: String?) -> Completion {
    if let equals = word.text.firstIndex(of: "="),
      let kind = command.options.first(where: { $0.name == word.text[..<equals] })?.value
    {
      var rest = word
      rest.text = String(word.text[word.text.index(after: equals)...])
      return value(of: kind, rest, entity)
    }
    return word.completion(
      of: command.options.map(\.name).filter { word.text.hasPrefix("--") ? $0.hasPrefix("--") : true })
  }

  /// The words that are neither options nor their values.
  private func positionals(of command: CompletionCommand, _ rest: [String]) -> [String] {
    var found: [String] = []
    var isValue = false
    for text in rest {
      if isValue {
        isValue = false
      } else if let option = command.options.first(where: { $0.name == text }) {
        isValue = option.value != nil
      } else if !text.hasPrefix("--") {
        found.append(text)
      }
    }
    return found
  }

  private func entity(of command: CompletionCommand, _ rest: [String]) -> String? {
    for text in positionals(of: command, rest) {
      if source.entities.contains(text) { return text }
      let name = text.prefix { $0 != "/" }
      if name.count < text.count, source.entities.contains(String(name)) { return String(name) }
    }
    return nil
  }

  // MARK: Values

  private func value(of kind: CompletionCommand.Kind, _ word: Word, _ entity: String?) -> Completion {
    switch kind {
    case .entity: return word.completion(of: source.entities)
    case .entityOrObject: return word.text.contains("/") ? object(word) : word.completion(of: source.entities)
    case .object: return object(word)
    case .relationship: return relationship(word)
    case .template: return word.completion(of: entity.map(source.templates) ?? [])
    case .aggregates: return aggregates(word, entity)
    case .sortKeys: return keyPaths(word, entity, areSorted: true)
    case .assignment: return assignment(word, entity)
    case .keyPaths: return keyPaths(word, entity)
    case .predicate: return predicate(word, entity)
    case .file: return file(word)
    case .choice(let names): return word.completion(of: names)
    case .value: return word.completion(of: [String]())
    }
  }

  /// The id of an object: its entity, then those that are in memory.
  private func object(_ word: Word, endsWord: Bool = true) -> Completion {
    guard let slash = word.text.firstIndex(of: "/") else {
      return word.completion(
        of: source.entities.map { Completion.Candidate($0 + "/", display: $0) }, endsWord: false)
    }
    return word.completion(of: source.objects(of: String(word.text[..<slash])), endsWord: endsWord)
  }

  /// An object's id, then its relationships.
  private func relationship(_ word: Word) -> Completion {
    guard let slash = word.text.firstIndex(of: "/"), let dot = word.text.lastIndex(of: "."), dot > slash
    else {
      var completion = object(word, endsWord: false)
      if word.text.contains("/") {
        completion.candidates = completion.candidates.map {
          Completion.Candidate($0.text + ".", display: $0.display)
        }
      }
      return completion
    }
    let names = source.keys(of: String(word.text[..<slash])).filter(\.isRelationship).map(\.name)
    return word.completion(of: names, replacing: String(word.text[word.text.index(after: dot)...]))
  }

  private func assignment(_ word: Word, _ entity: String?) -> Completion {
    guard let entity else { return word.completion(of: [String]()) }
    let keys = source.keys(of: entity)
    guard let equals = word.text.firstIndex(of: "=") else {
      return word.completion(
        of: keys.map { Completion.Candidate($0.name + "=", display: $0.name) }, endsWord: false)
    }
    let key = word.text[..<equals].trimmingSuffix(while: { ":?+".contains($0) })
    let text = String(word.text[word.text.index(after: equals)...])
    guard let kind = keys.first(where: { $0.name == key })?.kind else {
      return word.completion(of: [String]())
    }
    switch kind {
    case .attribute(.boolean): return word.completion(of: ["true", "false"], replacing: text)
    case .attribute: return word.completion(of: [String]())
    case .toOne(let destination), .toMany(let destination):
      return word.completion(
        of: [Completion.Candidate(destination + "/", display: destination)], replacing: text, endsWord: false)
    }
  }

  /// `-salary,department.na`: the last of a list, behind its sign.
  private func file(_ word: Word) -> Completion {
    let slash = word.text.lastIndex(of: "/")
    let folder = slash.map { String(word.text[...$0]) } ?? ""
    let typed = String(word.text.dropFirst(folder.count))
    let names = files(folder).filter { typed.hasPrefix(".") || !$0.hasPrefix(".") }.filter {
      $0.hasPrefix(typed)
    }
    let escaped = names.map { name in
      Completion.Candidate(word.quote == nil ? FileNames.escape(name) : name, display: name)
    }
    // What is typed may hold backslashes, which the source has and the word has not.
    let part = word.quote == nil ? FileNames.escape(typed) : typed
    let endsWord = !(names.count == 1 && names[0].hasSuffix("/"))
    return word.completion(of: escaped, replacing: part, endsWord: endsWord)
  }
}

extension StringProtocol {
  func caseInsensitiveEquals(_ other: String) -> Bool {
    lowercased() == other.lowercased()
  }
}
