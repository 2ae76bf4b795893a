import ArgumentParser
import GraphStore

/// What completion offers in a session: the commands as they are declared, and the names of the model that is open.
final class SessionCompletions: CompletionSource {
  private let model: ManagedObjectModel?
  private let executor: SessionExecutor

  init(_ session: CommandSession, _ executor: SessionExecutor) {
    model = session.openContext?.coordinator.managedObjectModel
    self.executor = executor
  }

  lazy var commands: [CompletionCommand] = CommandOutlines.commands.filter {
    executor.commandNames.contains($0.name)
  }

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
