import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore export ENTITY|--all`
struct ExportCommand: ObjectCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write objects as records: NDJSON, JSON, CSV and TSV, which import reads back, or Markdown and HTML.",
    discussion: """
      Written are the id, the attributes, to-one ids, and the to-many relationships that the other end does not tell of. \
      JSON shows objects of sub-entities with all they have, tables with the columns of the entity named. With --all each \
      record names its entity; in CSV, TSV, Markdown and HTML -o names a folder, which gets a file for each entity.

      The name that -o gives says the form: .ndjson, .json, .csv, .tsv, .md or .html; with .gz behind it the file is written \
      with gzip, which import reads back.

      graphstore export Employee --where 'salary > 50000' --format csv -o people.csv
      graphstore export --all -o company.ndjson.gz
      """)

  @Argument(help: "Entity (unless --all).") var entity: String?
  @Flag(help: "The objects of all entities.") var all = false
  @OptionGroup var query: QueryOptions
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup(title: "Result") var identifiers: IdentifierOptions
  @OptionGroup(title: "Result") var archives: ArchiveOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var queriedEntity: String? { entity }

  func validate() throws {
    if all == (entity != nil) { throw ValidationError("export takes an entity, or --all.") }
    let selects =
      query.filter.selects || query.sort != nil || query.fields != nil || query.limit != nil
      || query.offset != nil || query.template != nil || !query.prefetchLists.isEmpty
    if all, selects {
      throw ValidationError(
        "--all takes no --where, --template, --sort, --fields, --prefetch, --limit or --offset.")
    }
    if all, query.groups.text.isGiven {
      throw ValidationError("--all takes no --group-by, --aggregate, --having or --distinct.")
    }
  }

  var usualFormat: OutputFormat { .ndjson }

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    let context = try session.context(.read)
    let format = try format(session)
    let count: Int
    if let results = try results(context: context, session: session) {
      count = try session.withOutput { try results.write(as: format, to: $0, options: session.resultOptions) }
    } else if all, format.isTableOfRecords {
      count = try writeFolder(format, context: context, session: session)
    } else {
      let sections = shown(try sections(format, context: context, session: session), in: session)
      warnOfUnheld(in: sections, session)
      let task = ExportTask(
        context: context, sections: sections, interruption: session.interruption,
        decodes: session.settings.decodes)
      count = try session.withOutput { try task.write(as: format, to: $0, options: session.resultOptions) }
      if let query = sections.first?.query { session.warn(of: query, selected: count) }
    }
    session.reportResult("\(count) \(entity ?? "objects")", since: start)
    return .success
  }

  /// What is written of groups, or of different rows; nil where objects are.
  private func results(context: ManagedObjectContext, session: CommandSession) throws -> ResultsTask? {
    guard let entity, query.groups.text.isGiven || query.template != nil else { return nil }
    let description = try session.entity(entity)
    let asked = try session.query(try query.text(in: session), for: description)
    guard asked.request.resultType == .dictionary else { return nil }
    session.noteUnsavedChanges(in: context)
    return try ResultsTask(
      asked, context, interruption: session.interruption, decodes: session.settings.decodes)
  }

  /// The format asked for, by an option or by the file's name; else that of the environment or of a
  /// configuration, where it is one of records; else NDJSON.
  private func format(_ session: CommandSession) throws -> OutputFormat {
    let format = session.settings.format ?? .ndjson
    switch format {
    case .ndjson, .json, .csv, .tsv, .markdown, .html: return format
    case .table, .line, .ids:
      guard output.askedFormat != nil else { return .ndjson }
      throw Diagnostic(
        code: "usage",
        message: "export writes ndjson, json, csv, tsv, markdown or html, not \(format.rawValue)",
        hints: ["use fetch to look at objects"], exitCode: .usage)
    }
  }

  // MARK: One output

  private func sections(
    _ format: OutputFormat, context: ManagedObjectContext, session: CommandSession
  ) throws -> [ExportSection] {
    guard let entity else {
      return try context.coordinator.managedObjectModel.entities.filter { !$0.isAbstract }.map {
        ExportSection(try whole($0, session), ExportForm($0, in: context.coordinator, namesEntity: true))
      }
    }
    let description = try session.entity(entity)
    let asked = try session.query(try query.text(in: session), for: description)
    if let fields = query.fields {
      let columns = try ResultColumns(
        description, in: context.coordinator, fields: fields, variables: asked.request.variables,
        includesToMany: true, format: format, showsIdentifier: session.settings.showsIdentifier)
      return [ExportSection(asked, ExportForm(description, columns: columns))]
    }
    let family = query.filter.subentities ? description.concreteFamily : [description]
    if format.isTableOfRecords {
      return [
        ExportSection(
          asked,
          ExportForm(
            description, in: context.coordinator, namesEntity: false,
            identifierKey: EntityDescription.identifierKey(of: family)))
      ]
    }
    if asked.hasOrderOrWindow || query.limit != nil {
      return [ExportSection(asked, family: family, in: context.coordinator)]
    }
    // Each entity of the family in turn, in the order of its own table.
    var text = try query.filter.text(in: session)
    text.includesSubentities = false
    text.template = query.template
    text.prefetched = query.prefetchLists
    return try family.map {
      ExportSection(
        try session.query(text, for: $0),
        ExportForm($0, in: context.coordinator, namesEntity: false))
    }
  }

  /// The sections with the objects' own ids, or without them.
  private func shown(_ sections: [ExportSection], in session: CommandSession) -> [ExportSection] {
    // --fields has said which are wanted.
    guard !session.settings.showsIdentifier, query.fields == nil else { return sections }
    return sections.map { $0.withoutIdentifiers() }
  }

  private func whole(_ entity: EntityDescription, _ session: CommandSession) throws -> EntityQuery {
    var text = try query.filter.text(in: session)
    text.includesSubentities = false
    return try session.query(text, for: entity)
  }

  /// Says what the records lack, once each.
  private func warnOfUnheld(in sections: [ExportSection], _ session: CommandSession) {
    var told: Set<String> = []
    for attribute in sections.flatMap(\.forms).flatMap(\.unheld)
    where told.insert(attribute.description).inserted {
      session.report(.leftOut(attribute))
    }
  }

  // MARK: A folder of tables

  private func writeFolder(
    _ format: OutputFormat, context: ManagedObjectContext, session: CommandSession
  ) throws -> Int {
    guard let folder = session.settings.outputPath else {
      throw Diagnostic(
        code: "usage", message: "--all in \(format.rawValue) needs a folder for its files",
        hints: ["name one with -o FOLDER, or use --format ndjson"], exitCode: .usage)
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw OutputError(.cannotCreate, "cannot create the folder \"\(folder)\"")
    }
    let sections = shown(
      try context.coordinator.managedObjectModel.entities.filter { !$0.isAbstract }.map {
        ExportSection(try whole($0, session), ExportForm($0, in: context.coordinator, namesEntity: false))
      }, in: session)
    warnOfUnheld(in: sections, session)
    let paths = sections.map {
      (folder as NSString).appendingPathComponent("\($0.query.entity.name).\(format.fileExtension)")
    }
    let present = paths.filter { CommandSession.isFile($0) }
    if let first = present.first {
      try session.confirmReplacing(present.count == 1 ? first : "\(folder)", files: present.count)
    }
    var count = 0
    for (section, path) in zip(sections, paths) {
      let task = ExportTask(
        context: context, sections: [section], interruption: session.interruption,
        decodes: session.settings.decodes)
      let file = try session.file(at: path, replacing: true)
      count += try task.write(as: format, to: file.output, options: session.resultOptions)
      try file.commit()
    }
    return count
  }
}

extension Diagnostic {
  /// The warning that what is written lacks the values of an attribute.
  static func leftOut(_ attribute: AttributeDescription) -> Diagnostic {
    Diagnostic(
      .warning, code: "attribute-left-out",
      message: "\(attribute.description) is left out: objects do not hold \(attribute.type.rawValue) values",
      exitCode: .success)
  }
}

extension ExportCommand: FastPathObjectCommand {
  static var plain: ExportCommand {
    var command = ExportCommand()
    command.entity = nil
    command.all = false
    command.query = .plain
    command.clearShared()
    return command
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    guard option == "--all" else {
      return query.consume(option, from: &line) || consumeShared(option, from: &line)
    }
    all = line.flag(option)
    return true
  }

  mutating func consume(operands: [String]) -> Bool {
    entity = operands.first
    return operands.count <= 1
  }

  mutating func validateAll() throws {
    try query.validateAll()
    try output.validateAll()
    try validate()
  }
}
