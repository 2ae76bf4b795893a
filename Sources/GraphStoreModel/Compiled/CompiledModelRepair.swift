/// Repair of compiled models: leaves out the parts that this library would refuse, where the rest describes
/// the same objects.
struct CompiledModelRepair {
  private static let maximumRounds = 8

  private(set) var model: ForeignModel

  /// The model without such parts; each is reported by a finding. Problems of other parts stay.
  static func repaired(_ model: ForeignModel) -> ForeignModel {
    var repair = Self(model: model)
    repair.recordInverses()
    for _ in 0..<maximumRounds {
      var validator = ModelValidator(repair.model.definition)
      validator.check()
      guard repair.drop(validator.problems) else { break }
    }
    return repair.model
  }

  /// Records which parent of the destination declares an inverse, as Xcode's models do.
  private mutating func recordInverses() {
    let entities = model.definition.entities
    let positions = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = entities.map { Set($0.relationships.map(\.name)) }
    for (number, entity) in entities.enumerated() {
      for (step, relationship) in entity.relationships.enumerated() {
        guard let inverse = relationship.inverse else { continue }
        var owner = positions[relationship.destination]
        var levels = 0
        while let current = owner, levels < ModelValidator.maximumLevels, !names[current].contains(inverse) {
          owner = entities[current].parent.flatMap { positions[$0] }
          levels += 1
        }
        guard let owner, levels > 0, names[owner].contains(inverse) else { continue }
        model.definition.entities[number].relationships[step].xcode["inverseEntity"] = .string(
          entities[owner].name)
      }
    }
  }

  /// - Returns: Whether something was left out.
  private mutating func drop(_ problems: [ModelProblem]) -> Bool {
    // From the end, so that the positions of earlier parts stay.
    var seen: Set<ModelPath> = []
    var dropped = false
    for problem in ModelProblem.inDocumentOrder(problems).reversed() {
      guard let part = Part(problem), seen.insert(part.path).inserted else { continue }
      guard part.isRemoved(from: &model.definition) else { continue }
      dropped = true
      model.findings.append(
        ModelProblem.warning("compiled-dropped", at: part.path, message: "\(problem.message) It is left out.")
      )
    }
    return dropped
  }
}

extension CompiledModelRepair {
  /// A part that can be left out alone.
  private struct Part {
    /// Keys of a property whose values can be left out.
    private static let values: Set = [
      "default", "min", "max", "minLength", "maxLength", "pattern", "derivation", "inverse", "validations",
    ]

    let path: ModelPath
    private let steps: [ModelPath.Component]

    init?(_ problem: ModelProblem) {
      let steps = problem.path.components
      guard steps.count >= 2, case .key(let list) = steps[0] else { return nil }
      if list == "fetchRequests" || list == "configurations" {
        self.path = ModelPath(Array(steps.prefix(2)))
      } else if steps.count >= 4, list == "entities", case .key(let kind) = steps[2] {
        switch kind {
        case "indexes", "uniquenessConstraints", "fetchedProperties":
          self.path = ModelPath(Array(steps.prefix(4)))
        case "attributes" where problem.code == .reservedName,
          "relationships" where problem.code == .reservedName:
          self.path = ModelPath(Array(steps.prefix(4)))
        case "attributes", "relationships":
          guard steps.count >= 5, case .key(let value) = steps[4], Self.values.contains(value) else {
            return nil
          }
          self.path = ModelPath(Array(steps.prefix(5)))
        default: return nil
        }
      } else {
        return nil
      }
      self.steps = self.path.components
    }

    private func position(_ step: Int, below count: Int) -> Int? {
      guard steps.count > step, case .index(let position) = steps[step], position < count else { return nil }
      return position
    }

    func isRemoved(from definition: inout ModelDefinition) -> Bool {
      switch steps[0] {
      case .key("fetchRequests"):
        return Self.remove(
          position(1, below: definition.fetchRequests.count), from: &definition.fetchRequests)
      case .key("configurations"):
        return Self.remove(
          position(1, below: definition.configurations.count), from: &definition.configurations)
      default:
        guard let entity = position(1, below: definition.entities.count) else { return false }
        return isRemoved(from: &definition.entities[entity])
      }
    }

    private func isRemoved(from entity: inout EntityDefinition) -> Bool {
      switch steps[2] {
      case .key("indexes"):
        return Self.remove(position(3, below: entity.indexes.count), from: &entity.indexes)
      case .key("uniquenessConstraints"):
        return Self.remove(
          position(3, below: entity.uniquenessConstraints.count), from: &entity.uniquenessConstraints)
      case .key("fetchedProperties"):
        return Self.remove(
          position(3, below: entity.fetchedProperties.count), from: &entity.fetchedProperties)
      case .key("attributes"):
        guard steps.count > 4 else {
          return Self.remove(position(3, below: entity.attributes.count), from: &entity.attributes)
        }
        guard let position = position(3, below: entity.attributes.count) else { return false }
        return isRemoved(from: &entity.attributes[position])
      default:
        guard steps.count > 4 else {
          return Self.remove(position(3, below: entity.relationships.count), from: &entity.relationships)
        }
        guard let position = position(3, below: entity.relationships.count) else { return false }
        return isRemoved(from: &entity.relationships[position])
      }
    }

    private func isRemoved(from attribute: inout AttributeDefinition) -> Bool {
      let before = attribute
      switch steps[4] {
      case .key("default"): attribute.defaultValue = nil
      case .key("min"): attribute.minimum = nil
      case .key("max"): attribute.maximum = nil
      case .key("minLength"): attribute.minLength = nil
      case .key("maxLength"): attribute.maxLength = nil
      case .key("pattern"): attribute.pattern = nil
      case .key("derivation"): attribute.derivation = nil
      case .key("validations"): attribute.validations = []
      default: break
      }
      return attribute != before
    }

    private func isRemoved(from relationship: inout RelationshipDefinition) -> Bool {
      let before = relationship
      switch steps[4] {
      case .key("inverse"):
        relationship.inverse = nil
        relationship.xcode["inverseEntity"] = nil
      case .key("validations"): relationship.validations = []
      default: break
      }
      return relationship != before
    }

    private static func remove<Item>(_ position: Int?, from items: inout [Item]) -> Bool {
      guard let position else { return false }
      items.remove(at: position)
      return true
    }
  }
}
