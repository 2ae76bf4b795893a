import ArgumentParser
import GraphStore

/// Completion source of a session, or of a line of the system's shell: commands as they are declared, and the
/// names of the model that is open.
final class SessionCompletions: CompletionSource {
  private let makeModel: () -> ManagedObjectModel?
  private let makeCommands: () -> [CompletionCommand]
  private let makeObjects: (_ entity: String) -> [String]

  /// - Parameters:
  ///   - model: The model whose names are offered, which may be another one later; nil where none is open.
  ///   - commands: The commands, which are asked for once.
  ///   - objects: The ids of objects of an entity that are offered.
  init(
    model: @escaping () -> ManagedObjectModel?, commands: @escaping () -> [CompletionCommand],
    objects: @escaping (_ entity: String) -> [String]
  ) {
    makeModel = model
    (makeCommands, makeObjects) = (commands, objects)
  }

  /// A source that offers the commands of a session, and the objects that are in memory.
  convenience init(_ session: CommandSession, _ executor: SessionExecutor) {
    self.init(
      model: { session.openContext?.coordinator.managedObjectModel },
      commands: { CommandOutlines.commands.filter { executor.commandNames.contains($0.name) } },
      objects: { entity in
        guard let context = executor.session.openContext else { return [] }
        return context.registeredObjects.filter { $0.entity.name == entity && !$0.isDeleted }
          .map(\.objectID).sorted().map(\.shortForm)
      })
  }

  private var model: ManagedObjectModel? { makeModel() }

  lazy var commands: [CompletionCommand] = makeCommands()

  var entities: [String] { model?.entities.map(\.name) ?? [] }

  func keys(of entity: String) -> [CompletionKey] {
    guard let entity = model?.entitiesByName[entity] else { return [] }
    return entity.properties.compactMap { property in
      switch property {
      case let attribute as AttributeDescription:
        CompletionKey(name: attribute.name, kind: .attribute(Self.type(attribute.type)))
      case let relationship as RelationshipDescription:
        CompletionKey(
          name: relationship.name,
          kind: relationship.isToMany
            ? .toMany(relationship.destination.name) : .toOne(relationship.destination.name))
      default: nil
      }
    }
  }

  func objects(of entity: String) -> [String] { makeObjects(entity) }

  func templates(of entity: String) -> [String] {
    guard let model, let entity = model.entitiesByName[entity] else { return [] }
    return model.fetchRequestTemplates.filter { entity.isKind(of: $0.entity) }.map(\.name)
  }

  let functions = ["count", "sum:", "avg:", "min:", "max:", "median:", "percentile:(", "mode:", "stddev:"]

  let variables: [String] = []

  let aggregates = ResolvedKeyPath.Operator.allCases.map { "@\($0.rawValue)" }

  private static func type(_ type: AttributeType) -> CompletionKey.AttributeType {
    switch type {
    case .int16, .int32, .int64, .decimal, .double, .float: .number
    case .string, .uri: .text
    case .boolean: .boolean
    case .date: .date
    case .uuid: .identifier
    case .binary: .data
    case .transformable, .composite, .undefined: .other
    }
  }
}

/// Signatures of the command tree, read from the description that the argument parser gives of it.
enum CommandOutlines {
  static var commands: [CompletionCommand] {
    guard case .object(let root)? = try? JSONText.value(Array(RootCommand._dumpHelp().utf8)),
      case .object(let command)? = root["command"]
    else { return [] }
    return outline(command).subcommands
  }

  /// The signature of one command, with those that it holds.
  static func outline(of command: any ParsableCommand.Type) -> CompletionCommand {
    guard case .object(let root)? = try? JSONText.value(Array(command._dumpHelp().utf8)),
      case .object(let members)? = root["command"]
    else { return CompletionCommand(name: command._commandName) }
    var outline = outline(members)
    outline.name = command._commandName
    // The parser takes a command that is described alone for a root, which has help.
    outline.subcommands.removeAll { $0.name == "help" }
    return outline
  }

  private static func outline(_ members: [String: JSONValue]) -> CompletionCommand {
    var command = CompletionCommand(name: text(members["commandName"]), help: text(members["abstract"]))
    for argument in list(members["arguments"]) where argument["shouldDisplay"] == true {
      let value = kinds(argument)
      switch text(argument["kind"]) {
      case "positional":
        command.arguments += value
        command.repeatsLastArgument = argument["isRepeating"] == true
      case "option": add(argument, value.first ?? .value, to: &command)
      default: add(argument, nil, to: &command)
      }
    }
    command.subcommands = list(members["subcommands"]).map(outline)
    return command
  }

  private static func add(
    _ argument: [String: JSONValue], _ value: CompletionCommand.Kind?, to command: inout CompletionCommand
  ) {
    for name in list(argument["names"]) {
      let dashes = text(name["kind"]) == "long" ? "--" : "-"
      command.options.append(
        CompletionCommand.Option(
          name: dashes + text(name["name"]), value: value, help: text(argument["abstract"])))
    }
  }

  /// What a value stands for, by the name that the help gives it.
  private static func kinds(_ argument: [String: JSONValue]) -> [CompletionCommand.Kind] {
    if case .array(let values)? = argument["allValues"], !values.isEmpty {
      return [.choice(values.map { text($0) })]
    }
    if case .object(let completion)? = argument["completionKind"], completion["file"] != nil {
      return [.file]
    }
    let option = list(argument["names"]).map { text($0["name"]) }.first { $0.count > 1 }
    return switch (option, text(argument["valueName"])) {
    case ("template", _): [.template]
    case ("aggregate", _): [.aggregates]
    case ("sort", _): [.sortKeys]
    case (_, let value): kinds(value)
    }
  }

  private static func kinds(_ valueName: String) -> [CompletionCommand.Kind] {
    switch valueName {
    case "entity": [.entity]
    case "entity or id": [.entityOrObject]
    case "id": [.object]
    case "id.rel": [.relationship]
    case "entity> <file": [.entity, .file]
    case "id or key=value": [.entityOrObject, .assignment]
    case "key=value": [.assignment]
    case "key paths", "keys": [.keyPaths]
    case "predicate": [.predicate]
    case "path", "file": [.file]
    default: [.value]
    }
  }

  private static func text(_ value: JSONValue?) -> String {
    if case .string(let text)? = value { text } else { "" }
  }

  private static func list(_ value: JSONValue?) -> [[String: JSONValue]] {
    guard case .array(let items)? = value else { return [] }
    return items.compactMap { if case .object(let members) = $0 { members } else { nil } }
  }
}
