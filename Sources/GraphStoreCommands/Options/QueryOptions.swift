import ArgumentParser
import GraphStoreReports

/// Options of a fetch request: which objects, in which order, how many of them, and which key paths are
/// shown.
struct QueryOptions: ParsableArguments {
  @OptionGroup var filter: FilterOptions
  @OptionGroup var groups: GroupOptions

  @Option(
    name: .customLong("sort"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Order: keys, key paths or expressions, - before one that descends: -salary,name (or salary:desc), 'month:(birthday)'. Objects without a value as salary:nulls-first or :nulls-last. Texts also as name:caseInsensitive, :localized, :localizedCaseInsensitive or :localizedStandard. Repeat it for further keys.",
      valueName: "keys"))
  var sorts: [String] = []

  @Option(
    name: .customLong("fields"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "What to print: name,manager.name,reports.@count; expressions too: 'salary * 12 as yearly'; * for all that is printed without. Repeat it for more.",
      valueName: "key paths"))
  var fieldLists: [String] = []

  @Option(parsing: .unconditional, help: ArgumentHelp("At most so many; 0 for none.", valueName: "count"))
  var limit: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Skip so many first.", valueName: "count"))
  var offset: Int?

  @Option(
    name: .customLong("prefetch"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Read the objects of these relationships together, where the statement does not read their fields itself (see explain): reports,department.manager. Repeat it for more.",
      valueName: "relationships"))
  var prefetchLists: [String] = []

  @Option(
    help: ArgumentHelp(
      "Begin with a fetch request of the model; --where is added, --sort, --limit and --offset go before its own.",
      valueName: "name"))
  var template: String?

  /// All sort keys, in order.
  var sort: String? { sorts.joinedList }

  /// All key paths to print, in order.
  var fields: String? { fieldLists.joinedList }

  /// What the options ask for.
  func text(isStrict: Bool = false, in session: CommandSession) throws -> QueryText {
    var text = try filter.text(in: session)
    text.groups = groups.text
    text.template = template
    text.sort = sort
    text.fields = fieldLists
    text.limit = limit
    text.offset = offset
    text.prefetched = prefetchLists
    text.isStrict = isStrict
    return text
  }

  func validate() throws {
    try fieldLists.checkGaps("--fields")
    try prefetchLists.checkGaps("--prefetch")
    if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    if let offset, offset < 0 { throw ValidationError("--offset takes 0 or more.") }
  }
}

extension QueryOptions: FastPathOptions {
  static var plain: QueryOptions {
    var options = QueryOptions()
    options.filter = .plain
    options.groups = .plain
    options.sorts = []
    options.fieldLists = []
    options.prefetchLists = []
    options.limit = nil
    options.offset = nil
    options.template = nil
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--sort": line.add(to: &sorts)
    case "--fields": line.add(to: &fieldLists)
    case "--prefetch": line.add(to: &prefetchLists)
    case "--limit": limit = line.integer(option)
    case "--offset": offset = line.integer(option)
    case "--template": template = line.text(option)
    default: return groups.consume(option, from: &line) || filter.consume(option, from: &line)
    }
    return true
  }

  mutating func validateAll() throws {
    try filter.validateAll()
    try groups.validateAll()
    try validate()
  }
}

extension [String] {
  /// Makes sure that none of the lists has a gap between its commas.
  func checkGaps(_ option: String) throws {
    for list in self where ListText(list).parts.contains(where: { $0.text.isEmpty }) {
      throw ValidationError("\(option) takes a list with commas between, and one is missing in '\(list)'.")
    }
  }
}

/// Options that select objects of an entity.
struct FilterOptions: ParsableArguments {
  @Option(
    name: [.customLong("where"), .customShort("w")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Predicate; several must all hold.", valueName: "predicate"))
  var predicates: [String] = []

  @Option(
    name: .customLong("search"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Text to look for without regard to case and accents: name=beziers. By the start of the attribute that the model derives from it with normalize: or canonical:, else anywhere in it; --verbose says which. Repeat it for more.",
      valueName: "key=text"))
  var searches: [String] = []

  @Option(
    name: .customLong("var"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Value of $name, of the type of the key it meets; name:=JSON for null and the like.",
      valueName: "name=value"))
  var variables: [String] = []

  @Flag(inversion: .prefixedNo, help: "Objects of sub-entities too.")
  var subentities = true

  /// Whether they ask for some objects of the entity only.
  var selects: Bool { !predicates.isEmpty || !searches.isEmpty }

  /// What the options ask for, with the variables that the session has set.
  func text(in session: CommandSession) throws(Diagnostic) -> QueryText {
    var text = QueryText(predicates: predicates)
    text.searches = searches
    text.variables = try PredicateVariable.values(
      of: session.settings.variables + variables.compactMap(PredicateVariable.init))
    text.requiredVariables = PredicateVariable.names(in: variables)
    text.includesSubentities = subentities
    return text
  }

  func validate() throws {
    for variable in variables where PredicateVariable(variable) == nil {
      throw ValidationError("--var takes name=value, not '\(variable)'.")
    }
    if let name = PredicateVariable.repeated(in: variables) {
      throw ValidationError("--var gives $\(name) two values; leave one out.")
    }
  }
}

extension FilterOptions: FastPathOptions {
  static var plain: FilterOptions {
    var options = FilterOptions()
    options.predicates = []
    options.searches = []
    options.variables = []
    options.subentities = true
    return options
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--where", "-w": line.add(to: &predicates)
    case "--search": line.add(to: &searches)
    case "--var": line.add(to: &variables)
    case "--subentities": subentities = line.flag("--subentities")
    case "--no-subentities": subentities = !line.flag("--subentities")
    default: return false
    }
    return true
  }
}
