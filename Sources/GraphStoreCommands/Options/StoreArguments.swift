import ArgumentParser

/// Options of every command that works with a store or its model, before its name or behind it: long names
/// only, as in `SharedOptions`.
struct StoreArguments: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "Store to open: a path, or a server's address; or NAME=PATH. Repeat it to open several as one (GRAPHSTORE_STORE, .graphstore.json).",
      valueName: "path"),
    completion: .file(extensions: ["db", "sqlite", "gstore"]))
  var paths: [String] = []

  @Option(
    help: ArgumentHelp(
      "Model; repeat it to merge several. A store that is opened must have been made with it; default: its own model.",
      valueName: "path"),
    completion: .file())
  var model: [String] = []

  @Option(
    help: ArgumentHelp(
      "Configuration of the model whose entities the store holds; default: the one that fits.",
      valueName: "name"))
  var configuration: String?

  @Flag(name: .customLong("read-only"), help: "Open the store without write access.")
  var readOnly = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Wait for a locked store (default: 5).", valueName: "seconds")
  )
  var timeout: Double?

  @Option(
    help: ArgumentHelp(
      "Tell on standard error what the open store does: a list of fetches, saves, faults, misses.",
      valueName: "kinds"))
  var trace: String?

  @Option(
    name: .customLong("sql-log"),
    help: ArgumentHelp(
      "Tell on standard error what SQLite is asked, from 1 (statements and times) to 4; from 2 on with data.",
      valueName: "level"))
  var sqlLog: String?

  @Flag(help: "Say on standard error what was done, and what would make it faster.")
  var verbose = false
}

extension StoreArguments: FastPathOptions {
  static var plain: StoreArguments {
    var options = StoreArguments()
    options.paths = []
    options.model = []
    options.configuration = nil
    options.readOnly = false
    options.timeout = nil
    options.trace = nil
    options.sqlLog = nil
    options.verbose = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--store": line.add(to: &paths, isUnconditional: false)
    case "--model": model += line.text(option).map { [$0] } ?? []
    case "--configuration": configuration = line.text(option)
    case "--read-only": readOnly = line.flag(option)
    case "--timeout": timeout = line.number(option)
    case "--trace": trace = line.text(option)
    case "--sql-log": sqlLog = line.text(option)
    case "--verbose": verbose = line.flag(option)
    default: return false
    }
    return true
  }
}

/// Short names of the store's options, on commands only.
struct ShortStoreArguments: ParsableArguments {
  /// Which option each of them is another name of.
  static let longNames = [("-s", "--store"), ("-m", "--model"), ("-v", "--verbose")]

  @Option(name: .customShort("s"), help: ArgumentHelp("Same as --store.", valueName: "path"))
  var paths: [String] = []

  @Option(name: .customShort("m"), help: ArgumentHelp("Same as --model.", valueName: "path"))
  var model: [String] = []

  @Flag(name: .customShort("v"), help: "Same as --verbose.") var verbose = false
}

extension ShortStoreArguments: FastPathOptions {
  static var plain: ShortStoreArguments {
    var options = ShortStoreArguments()
    options.paths = []
    options.model = []
    options.verbose = false
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "-s": line.add(to: &paths, isUnconditional: false)
    case "-m": model += line.text(option).map { [$0] } ?? []
    case "-v": verbose = line.flag(option)
    default: return false
    }
    return true
  }
}
