import ArgumentParser
import GraphStore

/// Which objects a command reads, in which order, how many of them, and what it shows of them.
struct QueryOptions: ParsableArguments {
  @OptionGroup var filter: FilterOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Order: keys or key paths, - before one that descends: -salary,name (or salary:desc).",
      valueName: "keys"))
  var sort: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What to print: name,manager.name,reports.@count", valueName: "key paths"))
  var fields: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("At most so many.", valueName: "count"))
  var limit: Int?

  @Option(parsing: .unconditional, help: ArgumentHelp("Skip so many first.", valueName: "count"))
  var offset: Int?

  @Option(
    help: ArgumentHelp(
      "Begin with a fetch request of the model; --where is added, --sort, --limit and --offset go before its own.",
      valueName: "name"))
  var template: String?

  /// The request that the options make of an entity.
  func request(
    for entity: EntityDescription, isStrict: Bool, in session: CommandSession
  ) throws -> EntityQuery {
    try EntityQuery(
      entity, filter: filter, template: template, sort: sort, limit: limit, offset: offset,
      isStrict: isStrict,
      in: session)
  }

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    if let offset, offset < 0 { throw ValidationError("--offset takes 0 or more.") }
  }
}
