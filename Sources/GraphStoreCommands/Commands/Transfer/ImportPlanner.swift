import Foundation
import GraphStore
import GraphStoreReports

/// Converter of the options of `import` into settings, checked against the model.
struct ImportPlanner {
  private let command: ImportCommand
  private let coordinator: PersistentStoreCoordinator
  private let model: ManagedObjectModel

  init(_ command: ImportCommand, _ coordinator: PersistentStoreCoordinator) {
    self.command = command
    self.coordinator = coordinator
    model = coordinator.managedObjectModel
  }

  func settings() throws -> ImportSettings {
    let entity = command.all ? nil : try model.entity(named: command.arguments[0])
    let entities = entity?.concreteFamily ?? model.entities.filter { !$0.isAbstract }
    if let entity, entities.isEmpty {
      throw Diagnostic(
        code: "abstract-entity", message: "\(entity.name) is abstract and has no objects of its own",
        entity: entity.name, exitCode: .usage)
    }
    let files = try command.files.flatMap { try sources($0, entity) }
    try checkDelimiter(files)
    try checkNull(files)
    try checkRejects(files)
    var settings = ImportSettings(
      sources: files,
      mapping: RecordMapping(
        entity: entity, names: pairs(command.map), lookups: pairs(command.link),
        ignoresUnknown: command.ignoreUnknown,
        forms: FieldForms(dates: command.dates.flatMap(DateForm.init), hasDecimalComma: command.decimalComma),
        decodes: command.archives.decode),
      options: ImportOptions(entities: entities.map(\.index)))
    settings.strayFiles = strayFiles(beside: files)
    try check(settings.mapping, entities)
    settings.options.identifiesByLabel = try identifiesByLabel(entities)
    if !settings.options.identifiesByLabel { settings.options.key = try key(entity, entities) }
    settings.options.conflictPolicy = command.onConflict?.policy ?? .error
    settings.options.keepsKeys = command.keepIDs
    settings.options.createsLinks = command.createLinks
    settings.options.skipsFailures = command.onError == .skip
    settings.commit = command.commit
    settings.batchSize = command.batchSize
    settings.stopAfter = command.stopAfter
    settings.isDryRun = command.dryRun
    settings.rejects = command.rejects
    settings.once = command.once
    if command.keepIDs { try checkEmpty(entities) }
    return settings
  }

  private func pairs(_ texts: [String]) -> [String: String] {
    var pairs: [String: String] = [:]
    for text in texts {
      guard let equals = text.firstIndex(of: "=") else { continue }
      pairs[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    return pairs
  }

  // MARK: Files

  private func sources(_ path: String, _ entity: EntityDescription?) throws -> [ImportSettings.Source] {
    var isFolder: ObjCBool = false
    if path != "-", unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
      isFolder.boolValue
    {
      if command.all { return try folder(path) }
      let error = InputError(errno: EISDIR, path: path)
      throw Diagnostic(
        code: error.code.rawValue, message: error.message,
        hints: ["import --all takes a folder that holds a file for each entity"], exitCode: error.exitCode)
    }
    do throws(InputError) { return [source(path, format: try format(path), entity: entity)] } catch {
      throw Diagnostic(code: error.code.rawValue, message: error.message, exitCode: error.exitCode)
    }
  }

  private func format(_ path: String) throws(InputError) -> InputFormat {
    try InputFormat.choose(
      command.from, path: path, encoding: command.text.encoding, hasDelimiter: command.delimiter != nil)
  }

  /// A delimiter without a CSV file that it could belong to is a slip.
  private func checkDelimiter(_ sources: [ImportSettings.Source]) throws {
    guard command.delimiter != nil, !sources.contains(where: { $0.format == .csv }),
      let source = sources.first
    else { return }
    let what = command.from == nil ? "by its name" : "as --from says"
    throw Diagnostic(
      code: "usage",
      message:
        "--delimiter is for CSV, and \(InputError.name(source.path)) is \(source.format.name) \(what)",
      hints: ["leave --delimiter out, or say --from csv"], exitCode: .usage)
  }

  /// A text for missing values without a table that it could stand in is a slip.
  private func checkNull(_ sources: [ImportSettings.Source]) throws {
    guard let text = command.null else { return }
    let tables = sources.compactMap { $0.format == .csv ? OutputFormat.csv : $0.format == .tsv ? .tsv : nil }
    guard !tables.isEmpty else {
      throw Diagnostic(
        code: "usage", message: "--null is for CSV and TSV",
        hints: ["JSON has null of its own: leave --null out"],
        exitCode: .usage)
    }
    guard let wrong = tables.lazy.compactMap({ $0.problem(ofNull: text) }).first else { return }
    throw Diagnostic(code: "usage", message: "--null \(wrong)", exitCode: .usage)
  }

  /// Rejects do not take the place of what they come from.
  private func checkRejects(_ sources: [ImportSettings.Source]) throws {
    guard let path = command.rejects, path != "-" else { return }
    let target = PathTarget(path)
    guard let source = sources.first(where: { $0.path != "-" && PathTarget($0.path) == target }) else {
      return
    }
    throw Diagnostic(
      code: "usage", message: "--rejects would replace \(source.path), which is imported",
      hints: ["name another file"], exitCode: .usage)
  }

  private func source(_ path: String, format: InputFormat, entity: EntityDescription?)
    -> ImportSettings.Source
  {
    ImportSettings.Source(
      path: path, format: format, entity: entity, encoding: command.text.encoding,
      delimiter: ImportCommand.delimiter(command.delimiter),
      nullText: command.null.map { Array($0.utf8) })
  }

  /// The files of records in the folders that are read which are no entity's.
  private func strayFiles(beside sources: [ImportSettings.Source]) -> [String] {
    let read = Set(sources.map(\.path))
    return command.files.flatMap(ImportCommand.readableFiles).filter {
      !command.files.contains($0) && !read.contains($0)
    }.sorted()
  }

  /// The files of a folder whose names are those of entities, in the order of the model.
  private func folder(_ path: String) throws -> [ImportSettings.Source] {
    let files = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    var sources: [ImportSettings.Source] = []
    for entity in model.entities where !entity.isAbstract {
      for file in files
      where (FileEnding.withoutGzip(file) as NSString).deletingPathExtension == entity.name {
        guard let format = command.from ?? InputFormat(path: file) else { continue }
        sources.append(
          source((path as NSString).appendingPathComponent(file), format: format, entity: entity))
      }
    }
    guard sources.isEmpty else { return sources }
    throw Diagnostic(
      code: "file-not-found", message: "\(path) holds no file that is named after an entity",
      hints: [
        "known: " + model.entities.filter { !$0.isAbstract }.map { "\($0.name).csv" }.joined(separator: ", ")
      ],
      exitCode: .noInput)
  }

  // MARK: Checks

  private func check(_ mapping: RecordMapping, _ entities: [EntityDescription]) throws {
    for (name, key) in mapping.names.sorted(by: { $0.key < $1.key }) {
      let first = key.split(separator: ".", maxSplits: 1).first.map(String.init) ?? key
      try checkKey(first, option: "--map \(name)=\(key)", entities: entities, allowsLabels: true)
    }
    for (name, key) in mapping.lookups.sorted(by: { $0.key < $1.key }) {
      try checkKey(name, option: "--link \(name)=\(key)", entities: entities)
      for entity in entities {
        guard let property = entity.property(named: name) else { continue }
        guard let relationship = property as? RelationshipDescription else {
          throw Diagnostic(
            code: "wrong-property-kind", message: "\(entity.name).\(name) is no relationship",
            hints: ["relationships are \(entity.relationships.map(\.name).joined(separator: ", "))"],
            entity: entity.name, property: name, exitCode: .usage)
        }
        if relationship.destination.attribute(named: key) == nil {
          throw CommandSession.unknownKey(key, relationship.destination)
        }
      }
    }
  }

  private func checkKey(
    _ key: String, option: String, entities: [EntityDescription], allowsLabels: Bool = false
  ) throws {
    if allowsLabels, key == "id" || key == "objectID" || key == "entity" { return }
    if entities.contains(where: { $0.property(named: key) != nil }) { return }
    guard let entity = entities.first else { return }
    var diagnostic = CommandSession.unknownKey(key, entity)
    diagnostic.message += ", which \(option) names"
    throw diagnostic
  }

  /// Whether `--key` names the objects' own ids.
  private func identifiesByLabel(_ entities: [EntityDescription]) throws -> Bool {
    guard let key = command.key, entities.allSatisfy({ $0.isIdentifierKey(key) }) else { return false }
    guard command.onConflict != nil, command.onConflict != .error else {
      throw Diagnostic(
        code: "usage", message: "--key \(key) needs --on-conflict",
        hints: [
          "what becomes of an object that has the id of a record: --on-conflict update, replace or ignore"
        ],
        exitCode: .usage)
    }
    return true
  }

  /// The attributes of `--key`; without it those of the one uniqueness constraint, where conflicts are to be
  /// settled.
  private func key(_ entity: EntityDescription?, _ entities: [EntityDescription]) throws -> [String] {
    if let text = command.key {
      let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      for name in names {
        if let entity { try UpsertKey.refuseComposite(name, of: entity) }
        try checkKey(name, option: "--key \(text)", entities: entities)
        if let entity, entity.attribute(named: name) == nil {
          throw Diagnostic(
            code: "wrong-property-kind", message: "\(entity.name).\(name) is no attribute, as --key needs",
            entity: entity.name, property: name, exitCode: .usage)
        }
      }
      return names
    }
    guard let option = command.onConflict, option != .error else { return [] }
    let constraints = (entity?.uniquenessConstraints ?? []).filter { constraint in
      constraint.allSatisfy { $0 is AttributeDescription }
    }
    guard constraints.count == 1 else {
      throw Diagnostic(
        code: "usage", message: "--on-conflict \(option.rawValue) needs --key",
        hints: constraints.map { "perhaps --key \($0.map(\.name).joined(separator: ","))" }, exitCode: .usage)
    }
    return constraints[0].map(\.name)
  }

  private func checkEmpty(_ entities: [EntityDescription]) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    var seen: Set<String> = []
    for root in entities.map(\.rootEntity) where seen.insert(root.name).inserted {
      let count = try context.performAndWait {
        try context.count(for: FetchRequest(entityName: root.name))
      }
      guard count > 0 else { continue }
      throw Diagnostic(
        code: "not-empty", message: "there are \(count) objects of \(root.name), so that ids cannot be kept",
        hints: ["import into a new store, or without --keep-ids"], entity: root.name, exitCode: .usage)
    }
  }
}
