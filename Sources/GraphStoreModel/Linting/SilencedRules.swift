/// Rules that the user info of a model, its entities and properties silences (MDL-354).
struct SilencedRules {
  private let definition: ModelDefinition

  init(_ definition: ModelDefinition) { self.definition = definition }

  /// Whether something on the way to a finding silences its rule. Problems cannot be silenced.
  func contain(_ finding: ModelProblem) -> Bool {
    guard finding.severity == .warning else { return false }
    return userInfos(to: finding.path).contains {
      Self.names(in: $0)?.contains(finding.code.rawValue) == true
    }
  }

  /// The names of rules in a user info, written as a list, or as a text with commas where values can be text
  /// only; none without the key; nil for anything else.
  static func names(in userInfo: [String: JSONValue]) -> [String]? {
    switch userInfo[ModelRule.ignoreKey] {
    case nil: return []
    case .string(let text):
      return text.split { $0 == "," || $0.isWhitespace }.map(String.init)
    case .array(let items):
      var names: [String] = []
      for item in items {
        guard case .string(let name) = item else { return nil }
        names.append(name)
      }
      return names
    default: return nil
    }
  }

  /// The user infos of the model and of the entity and property that a path leads into.
  private func userInfos(to path: ModelPath) -> [[String: JSONValue]] {
    let steps = path.components
    var found = [definition.userInfo]
    guard steps.count > 1, case .key(let list) = steps[0], case .index(let position) = steps[1] else {
      return found
    }
    if list == "fetchRequests" {
      guard definition.fetchRequests.indices.contains(position) else { return found }
      let name = definition.fetchRequests[position].entity
      return found + definition.entities.filter { $0.name == name }.map(\.userInfo)
    }
    guard list == "entities", definition.entities.indices.contains(position) else { return found }
    let entity = definition.entities[position]
    found.append(entity.userInfo)
    guard steps.count > 3, case .key(let kind) = steps[2], case .index(let number) = steps[3] else {
      return found
    }
    switch kind {
    case "attributes": return found + userInfos(to: steps.dropFirst(2), in: entity.attributes)
    case "relationships" where entity.relationships.indices.contains(number):
      found.append(entity.relationships[number].userInfo)
    case "fetchedProperties" where entity.fetchedProperties.indices.contains(number):
      found.append(entity.fetchedProperties[number].userInfo)
    default: break
    }
    return found
  }

  /// The user infos of an attribute and of the elements on the way.
  private func userInfos(
    to steps: ArraySlice<ModelPath.Component>, in attributes: [AttributeDefinition]
  ) -> [[String: JSONValue]] {
    guard steps.count > 1, steps.first == .key("attributes"),
      case .index(let position) = steps[steps.startIndex + 1], attributes.indices.contains(position)
    else { return [] }
    let attribute = attributes[position]
    return [attribute.userInfo] + userInfos(to: steps.dropFirst(2), in: attribute.elements)
  }
}

extension [ModelProblem] {
  /// Those that the user info of a definition does not silence.
  func audible(in definition: ModelDefinition) -> [ModelProblem] {
    guard !isEmpty else { return [] }
    let silenced = SilencedRules(definition)
    return filter { !silenced.contain($0) }
  }
}

extension ManagedObjectModel {
  /// Whether the user info of the model, or of what a finding is about, silences its rule (MDL-354).
  package func silences(_ finding: ModelProblem) -> Bool { SilencedRules(definition).contain(finding) }
}
