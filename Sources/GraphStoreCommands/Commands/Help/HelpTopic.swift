import GraphStore
import GraphStoreReports

/// A page of the handbook that `graphstore help TOPIC` prints.
enum HelpTopic: String, CaseIterable {
  case predicates
  case formats
  case exitCodes = "exit-codes"
  case environment
  case shell
  case scripts
  case storeTypes = "store-types"
  case storeSpeed = "store-speed"
  case largeValues = "large-values"
  case postgresql
  case security
  case codes
  case limits
  case forSQLUsers = "for-sql-users"
  case forCoreDataUsers = "for-core-data-users"

  /// The page that the words behind `help` ask for: that of a topic, or those of codes of errors; nil where
  /// they name a command, or nothing.
  static func page(for words: ArraySlice<String>) throws(Diagnostic) -> String? {
    guard let word = words.first, !word.hasPrefix("-") else { return nil }
    if let topic = HelpTopic(rawValue: word) { return topic.text }
    if let command = RootCommand.command(named: word) {
      let names = command.configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
      guard let second = words.dropFirst().first, !second.hasPrefix("-"), !names.contains(second) else {
        return nil
      }
      throw DiagnosticMapper.unknownCommand(second, among: names, parent: word)
    }
    if word == "help" { return nil }
    let pages = ErrorPage.pages(for: words.filter { !$0.hasPrefix("-") }.joined(separator: " "))
    guard pages.isEmpty else { return pages.map(\.text).joined(separator: "\n\n") }
    throw Diagnostic(
      code: "unknown-topic", message: "there is no help on \"\(word)\"",
      hints: ["topics: \(list); every command, see \"graphstore --help\"; and every code of errors"],
      suggestions: DiagnosticMapper.likely(
        word, among: allCases.map(\.rawValue) + RootCommand.commandNames + ErrorPage.all.map(\.code)),
      exitCode: .usage)
  }

  /// The topics, separated by commas.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }

  var text: String {
    switch self {
    case .predicates: HelpPages.predicates
    case .formats: HelpPages.formats
    case .exitCodes: HelpPages.exitCodes
    case .environment: HelpPages.environment
    case .shell: HelpPages.shell
    case .scripts: HelpPages.scripts
    case .storeTypes: HelpPages.storeTypes
    case .storeSpeed: HelpPages.storeSpeed
    case .largeValues: HelpPages.largeValues
    case .postgresql: HelpPages.postgresql
    case .security: HelpPages.security
    case .codes: ErrorPage.list
    case .limits: HelpPages.limits
    case .forSQLUsers: HelpPages.forSQLUsers
    case .forCoreDataUsers: HelpPages.forCoreDataUsers
    }
  }
}

/// The texts of `graphstore help TOPIC`.
enum HelpPages {
  static let predicates = """
    Predicates say which objects are meant: --where, a model's rules, filter.

      salary > 50000 AND department.name == "Sales"    keys, and paths over to-one relationships
      == != < <= > >=   BETWEEN {1, 5}   IN {"a", "b"}   AND OR NOT ( )
      name BEGINSWITH[cd] "a"   CONTAINS ENDSWITH LIKE "A*?"   MATCHES "[A-Z].*"
                                                        [c] ignores case, [d] accents, [l] by the locale
      email == nil                                      no value
      ANY employees.salary > 9   ALL NONE               to-many relationships
      employees.@count > 3   .@sum.salary .@avg .@min .@max
      median:(employees.salary) > 9   percentile:(employees.salary, 0.9)   avg: or mean: is average:
      SUBQUERY(employees, $e, $e.salary > 9 AND $e.badge < 5).@count > 0
      salary * 12 > 600000   length:(name) > 10   birthday < now() - 86400 * 30
      badge / 2 == 3                                    whole numbers divide as such, 7 / 2 is 3: write badge / 2.0
      name == $n                                        --var n=Ada; with the type of the key it meets
      year:(at) == 2026   month: day: hour: minute: second: weekday: isoWeek:   all take a zone: hour:(at, "Europe/Berlin")
      truncated:(at, "month")   adding:(now(), -3, "day")   difference:(a, b, "year")   weekday 1 is Monday
      substring:(s, 0, 3)   trimmed:   concatenated:   replaced:   firstPart:   lastPart:   round:(x, 2)   coalesce:(a, b)
      SELF == "Employee/p1"   entity.name == "Project"  the object, its entity
      `user-id` == 5                                    a key that is no identifier

    Text stands in '…' or "…", dates as text in ISO 8601: birthday > "1980-05-01". A bare where
    stands for --where: fetch Employee where 'name == "Ada"'. In scripts and in the shell it needs no quotes around it.
    "graphstore predicate check ENTITY EXPR" checks one, "graphstore explain ENTITY --where EXPR" says how it runs.
    """

  static let storeTypes = """
    Types of stores, by "graphstore init PATH --type TYPE". A command finds the type of a store by its first bytes.

      sqlite     one SQLite file (default): for all that grows. Objects are read when they are needed, many programs
                 read and one writes at a time, and it alone has history, repair, and values in files of their own
      json       one JSON text with an object a line: to look at data, to edit them by hand and to keep them in
                 version control, while they are few
      xml        one XML document in the form of Core Data's: to look at data, and for programs that read it
      binary     one binary property list: for a small file that is replaced whole, with data in it

    A store on a PostgreSQL server has its address as its path, which says the type: see graphstore help postgresql.

    A store of any type but sqlite is in memory as a whole, and each save writes it anew: a few thousand objects, no
    large values. A save fails with file-changed, and writes nothing, if another program has changed the file since.
    "graphstore export --all" and "graphstore import --all" bring objects from a store of one type into one of
    another. A program also has stores in memory, for tests.
    """

  static let formats = """
    Forms of a result, by --format (-f), GRAPHSTORE_FORMAT or a configuration file. None depends on the terminal.

      table      columns for people (default); get prints line
      line       a line for each value
      json       one array; numbers are numbers, decimals text, dates ISO 8601 in UTC, binary base64, to-one an id
      ndjson     the same, an object a line
      csv        commas, quotes where they are needed; an empty cell is null, "" the empty text
      tsv        tabs; \\N is null, and \\t \\n \\r \\\\ are escaped
      markdown   a table for documents
      html       a table for pages: the element table alone, numbers on the right
      ids        the ids alone, for other commands

    --pretty is json with a line for each value. Elements of composite attributes stand by their paths (address.city),
    values of transformable ones as base64 of their stored bytes. Where people read (table, line, markdown, html) binary
    data are told as <1.4 MB image/png>.

    Also: --null TEXT, --no-header, --no-id, --width COLUMNS, --time-zone ZONE, --output FILE (-o), whose name says the
    form where no option does: .csv, .tsv, .json, .ndjson, .md, .html, .txt. With .gz behind it (people.csv.gz) the file
    is written with gzip; a name such as people.xlsx is refused.

    import reads ndjson, json, csv and tsv; what export writes in them, import reads back equal. What is compressed with
    gzip is read as if it were not, from standard input too; other encodings than UTF-8 are read with --encoding, and
    UTF-16 by its byte-order mark.
    """

  static let exitCodes =
    "What the command ends with. The numbers are a promise to scripts.\n\n"
    + ExitCode.promised.map { code in
      let number = String(code.rawValue)
      return "  " + String(repeating: " ", count: 3 - number.count) + number + "  " + code.meaning
    }.joined(separator: "\n")
    + "\n\nErrors go to standard error: as text, with --error-format json as one line of JSON each, with\n--error-format github as annotations of a workflow there."

  static let environment = """
    An option goes before the environment, the environment before configuration files.

      GRAPHSTORE_STORE         the path of the store, or its address on a server, as --store
      GRAPHSTORE_MODEL         the model, for init and the model commands
      GRAPHSTORE_FORMAT        as --format
      GRAPHSTORE_ERROR_FORMAT  text, json or github, as --error-format
      GRAPHSTORE_TIMEOUT       seconds to wait for a locked store, as --timeout
      GRAPHSTORE_COLOR         auto, always or never; NO_COLOR, CLICOLOR_FORCE and TERM=dumb count too
      GRAPHSTORE_NO_INPUT      1: never ask
      GRAPHSTORE_TRACE         what is told while it is done, as --trace
      GRAPHSTORE_SQL_LOG       how much is told of what SQLite is asked, as --sql-log
      GRAPHSTORE_MIGRATION_DEBUG  what is told of a migration, as --migration-debug
      GRAPHSTORE_LOG           a file that such lines are appended to, in place of standard error
      GRAPHSTORE_HISTORY       the shell's history file; empty for none
      GRAPHSTORE_EDITOR        the editor of .edit, before VISUAL and EDITOR
      GRAPHSTORE_PAGER         what results go through that are longer than the screen, before PAGER (default: less -FRSX);
                               empty, or cat, for nothing
      GRAPHSTORE_PROFILE       a profile of a configuration file, as --profile
      GRAPHSTORE_CONFIG        the user's configuration file
      LC_ALL, LC_COLLATE, LANG the locale of [l] and of localized order; CAST and dates do not depend on it

    The store is named by --store, else by GRAPHSTORE_STORE, else by the nearest .graphstore.json upwards:
    {"store": "hr.db", "model": "Models/company.json"}, with paths relative to that file. Such files take the keys store,
    model, format, errorFormat, color, timeout, noInput, history, historyPerStore (true: a history for each store) and
    profiles, which are settings under a name; "store" may name several, which are opened as one:

      {"store": "hr.db",
       "profiles": {"staging": {"store": "/srv/staging/hr.db", "timeout": 30},
                    "all": {"store": {"hr": "hr.db", "archive": "archive.db"}, "format": "ndjson"}}}

    "--profile staging" goes before variables, GRAPHSTORE_PROFILE=staging behind those for one setting.

    Several stores are opened as one: --store hr=hr.db --store archive=archive.db. Where both have an entity, ids name
    the store (archive:Employee/p4), and "insert --into-store archive" says where an object goes.
    """

  static let shell = """
    graphstore shell reads statements at a prompt: the commands without "graphstore", and dot commands.

      fetch Employee where salary > 50000 --sort -salary     a bare where needs no quotes
      .begin   …   .commit   or   .rollback                   several statements as one save
      .context new --scratch draft                            a scratch context, saved into its parent or dropped
      .open other.db   .output results.csv   .once one.csv    another store; results into files
      .edit   .query save wages   .query run wages            an editor; statements kept under names
      .help   .help fetch   .help keys                        what there is
      .quit, or Ctrl-D

    A line goes on while a bracket or a quote is open, or it ends in \\; several statements are separated by ";".
    Each statement is saved by itself, except between .begin and .commit, and in scratch contexts: see .help context.
    A result that is longer than the screen goes through a pager, but for --no-pager. --safe leaves out the pager, .shell,
    .edit, .output and .once, which start programs or write any file; commands such as backup write as ever.
    Where standard input is no terminal, the shell reads it as "graphstore run -" does.

    """ + ShellHelp.keys.trimmedEnd

  static let scripts = """
    graphstore run FILE, run - or run -c LINE run the statements of a script: the commands without "graphstore".

      # a comment
      insert Department name=Research
      update Employee department=Department/p1 where department == nil

    A script is one transaction: it stops at the first error, which is shown with file, line and column, and then
    nothing is saved. --keep-going saves each statement by itself and ends with 5 if any failed; --no-transaction
    keeps what succeeded before the first error. --var name=value fills $name, --echo shows each statement.
    A statement whose answer is "no" (exit code 2 without an error: a check with findings, --exit-code) is none that
    failed: the script goes on, is saved, and ends with 2. get of an id that is not there is an error, and ends it.
    .begin … .commit joins statements into one save; a script that ends before .commit, or with unsaved
    changes in a scratch context, is an error.
    """
}

extension String {
  /// The text without line ends at its end.
  var trimmedEnd: String {
    var text = self[...]
    while text.last?.isNewline == true { text = text.dropLast() }
    return String(text)
  }
}

extension ExitCode {
  /// What the code says, in a line.
  fileprivate var meaning: String {
    switch self {
    case .success: "done; also: nothing found, nothing to do"
    case .failure: "failed in a way that has no code of its own"
    case .negativeAnswer: "ran, and the answer is no: findings of a check, an absent id, --exit-code"
    case .refused: "a rule of the model, or a conflict, refused the save"
    case .notConfirmed: "not confirmed: answered no, needed --yes, or over --max"
    case .partial: "done for a part of the input: import --on-error skip, run --keep-going"
    case .usage: "the command line is wrong: options, names, predicates"
    case .dataError: "the input data is wrong: values, validation, uniqueness, a statement of a script"
    case .noInput: "a file, a store or an object is not there"
    case .internalError: "a defect of graphstore; please report it"
    case .cannotCreate: "a file cannot be created"
    case .ioError: "reading or writing failed, the disk is full, or the store is damaged"
    case .temporaryFailure: "the store stayed locked; trying again may help"
    case .noPermission: "no permission, or read-only"
    case .configuration: "the configuration is wrong, or the model does not fit the store"
    case .hungUp: "the terminal went away"
    case .interrupted: "interrupted (Ctrl-C)"
    case .brokenPipe: "the reader of the output went away"
    case .terminated: "ended by a termination signal"
    default: "the number that a script ended with"
    }
  }
}
