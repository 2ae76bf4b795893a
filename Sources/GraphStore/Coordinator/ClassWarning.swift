import GraphStoreModel
import Synchronization

/// What is told, once, of entities whose objects are plain ones because no class is registered for them (MDL-070).
final class ClassWarning: Sendable {
  /// The notice of the process.
  static let shared = ClassWarning()

  private struct Place: Hashable {
    let model: String
    let entity: String
    let className: String
  }

  private let told = Mutex<Set<Place>>([])

  /// The findings about entities that were not told before, in the order of the model.
  func news(_ entities: [EntityDescription]) -> [ModelProblem] {
    entities.compactMap { entity in
      guard let className = entity.className else { return nil }
      let place = Place(model: entity.model.name, entity: entity.name, className: className)
      guard told.withLock({ $0.insert(place).inserted }) else { return nil }
      let finding = finding(entity, className)
      return entity.model.silences(finding) ? nil : finding
    }
  }

  private func finding(_ entity: EntityDescription, _ className: String) -> ModelProblem {
    ModelProblem.warning(
      "class-not-registered", at: ModelPath().item("entities", entity.index).key("className"),
      message:
        "No class is registered as \(className), so objects of \(entity.name) are plain managed objects.",
      remedy: "Give \(className) to the coordinator, or take the className out of the model.")
  }
}
