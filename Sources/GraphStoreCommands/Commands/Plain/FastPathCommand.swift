import ArgumentParser

/// A command that can be read from a plain command line.
protocol FastPathCommand: StoreCommand, FastPathOptions {
  var store: StoreArguments { get set }
  var shortStore: ShortStoreArguments { get set }
  var shared: SharedOptions { get set }
  var short: ShortOptions { get set }

  /// Takes the words that belong to no option.
  /// - Returns: whether they are as many as the command needs.
  mutating func take(operands: [String]) -> Bool
}

extension FastPathCommand {
  /// Takes an option that every command of a store has.
  mutating func takeShared(_ option: String, _ line: inout FastPathArguments) -> Bool {
    store.take(option, &line) || shortStore.take(option, &line) || shared.take(option, &line)
      || short.take(option, &line)
  }

  /// Reads the command from the words behind its name; nil for a line that the package's parser has to judge.
  static func read(_ words: [String]) -> Self? {
    var command = plain
    var line = FastPathArguments(words, from: 1)
    while let option = line.nextOption() {
      guard command.take(option, &line) else { return nil }
    }
    guard line.isPlain, command.take(operands: line.operands), (try? command.validateAll()) != nil else {
      return nil
    }
    return command
  }
}

extension FetchCommand: FastPathCommand {
  static var plain: FetchCommand {
    var command = FetchCommand()
    command.query = .plain
    command.exitCode = false
    command.strict = false
    command.output = .plain
    command.shortStore = .plain
    command.short = .plain
    command.store = .plain
    command.shared = .plain
    return command
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "--exit-code": exitCode = line.flag(option)
    case "--strict": strict = line.flag(option)
    default:
      return query.take(option, &line) || output.take(option, &line) || takeShared(option, &line)
    }
    return true
  }

  mutating func take(operands: [String]) -> Bool {
    guard operands.count == 1 else { return false }
    entity = operands[0]
    return true
  }

  mutating func validateAll() throws {
    try query.validateAll()
    try output.validateAll()
  }
}

extension CountCommand: FastPathCommand {
  static var plain: CountCommand {
    var command = CountCommand()
    command.filter = .plain
    command.template = nil
    command.limit = nil
    command.offset = nil
    command.exitCode = false
    command.strict = false
    command.shortStore = .plain
    command.short = .plain
    command.store = .plain
    command.shared = .plain
    return command
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "--limit": limit = line.integer(option)
    case "--offset": offset = line.integer(option)
    case "--exit-code": exitCode = line.flag(option)
    case "--strict": strict = line.flag(option)
    case "--template": template = line.text(option)
    default: return filter.take(option, &line) || takeShared(option, &line)
    }
    return true
  }

  mutating func take(operands: [String]) -> Bool {
    guard operands.count == 1 else { return false }
    entity = operands[0]
    return true
  }

  mutating func validateAll() throws {
    try filter.validateAll()
    try validate()
  }
}

extension GetCommand: FastPathCommand {
  static var plain: GetCommand {
    var command = GetCommand()
    command.fieldLists = []
    command.output = .plain
    command.shortStore = .plain
    command.short = .plain
    command.store = .plain
    command.shared = .plain
    return command
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    guard option == "--fields" else {
      return output.take(option, &line) || takeShared(option, &line)
    }
    line.add(to: &fieldLists)
    return true
  }

  mutating func take(operands: [String]) -> Bool {
    ids = operands
    return !operands.isEmpty
  }

  mutating func validateAll() throws {
    try output.validateAll()
    try validate()
  }
}

extension ExportCommand: FastPathCommand {
  static var plain: ExportCommand {
    var command = ExportCommand()
    command.entity = nil
    command.all = false
    command.query = .plain
    command.output = .plain
    command.shortStore = .plain
    command.short = .plain
    command.store = .plain
    command.shared = .plain
    return command
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    guard option == "--all" else {
      return query.take(option, &line) || output.take(option, &line) || takeShared(option, &line)
    }
    all = line.flag(option)
    return true
  }

  mutating func take(operands: [String]) -> Bool {
    entity = operands.first
    return operands.count <= 1
  }

  mutating func validateAll() throws {
    try query.validateAll()
    try output.validateAll()
    try validate()
  }
}
