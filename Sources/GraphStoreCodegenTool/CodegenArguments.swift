import GraphStoreCodegen

/// What the tool was asked to do.
struct CodegenArguments {
  /// Where the code goes.
  enum Destination {
    /// Into files of a folder: two an entity.
    case folder(String)
    /// Into one file.
    case file(String)
  }

  private(set) var model = ""
  private(set) var destination = Destination.folder("")
  private(set) var access = CodegenOptions.Access.internal
  private(set) var entities: [String] = []
  private(set) var sources: [String] = []
  private(set) var isQuiet = false
  private(set) var asksForHelp = false

  init(_ words: [String]) throws(CodegenUsageError) {
    var models: [String] = []
    var destinations: [Destination] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": asksForHelp = true
      case "--quiet", "-q": isQuiet = true
      case "--output", "-o": destinations.append(.folder(try Self.value(of: word, &rest)))
      case "--into": destinations.append(.file(try Self.value(of: word, &rest)))
      case "--entity": entities.append(try Self.value(of: word, &rest))
      case "--source": sources.append(try Self.value(of: word, &rest))
      case "--access":
        let name = try Self.value(of: word, &rest)
        guard let access = CodegenOptions.Access(rawValue: name) else {
          throw CodegenUsageError("--access is public or internal, not \(name)")
        }
        self.access = access
      case _ where word.hasPrefix("-"): throw CodegenUsageError("unknown option \(word)")
      default: models.append(word)
      }
    }
    if asksForHelp { return }
    guard let model = models.first, models.count == 1 else { throw CodegenUsageError("name one model") }
    guard let destination = destinations.first, destinations.count == 1 else {
      throw CodegenUsageError("name one of --output FOLDER and --into FILE")
    }
    if case .folder = destination, !sources.isEmpty {
      throw CodegenUsageError("--source goes with --into: files of people are kept in a folder anyway")
    }
    self.model = model
    self.destination = destination
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(CodegenUsageError) -> String {
    guard let value = rest.popFirst() else { throw CodegenUsageError("\(option) needs a value") }
    return value
  }

  static let usage = "usage: graphstore-codegen MODEL (--output FOLDER | --into FILE) [OPTION]..."

  static let help = """
    \(usage)

    Writes Swift for a model: a class for each entity with typed properties, and a type for the model.

      -o, --output FOLDER    two files an entity: ENTITY+Properties.swift, rewritten when it differs, and
                             ENTITY.swift for people, made once; and one file for the model
          --into FILE        everything in one file, rewritten when it differs
          --source FILE      with --into: a source of the same module; classes it declares are left out (repeat)
          --access LEVEL     public or internal (default: internal)
          --entity NAME      files for this entity only (repeat)
      -q, --quiet            do not say what was written
      -h, --help             this text

    Exit status: 0 done, 64 wrong usage, 65 a model with problems, 66 no such model, 74 a file that cannot be written.
    """
}

/// Words on the command line that make no sense.
struct CodegenUsageError: Error {
  /// What is wrong, as a clause.
  let message: String

  init(_ message: String) { self.message = message }
}
