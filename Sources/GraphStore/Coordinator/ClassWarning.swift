import GraphStoreModel
import Synchronization

/// Reports, each once, entities whose objects are plain ones because no class is registered for them
/// (MDL-070), and classes that no entity names (DGN-136).
final class ClassWarning: Sendable {
  /// The notice of the process.
  static let shared = ClassWarning()

  private struct Place: Hashable {
    let model: String
    let entity: String?
    let className: String
  }

  private let reported = Mutex<Set<Place>>([])

  /// The findings that were not reported before: about entities, in the order of the model, then about
  /// classes, by name.
  ///
  /// A model that requires its classes refuses objects of entities without theirs, instead of a warning.
  func news(_ classes: ClassTable, of model: ManagedObjectModel) -> [ModelProblem] {
    let missing = model.requiresClasses ? [] : classes.unregistered
    let findings =
      missing.compactMap { entity -> ModelProblem? in
        guard let className = entity.className else { return nil }
        return isNews(model, entity.name, className) ? notRegistered(className, entity) : nil
      } + classes.unused.compactMap { isNews(model, nil, $0) ? notUsed($0) : nil }
    return findings.filter { !model.silences($0) }
  }

  private func isNews(_ model: ManagedObjectModel, _ entity: String?, _ className: String) -> Bool {
    reported.withLock { $0.insert(Place(model: model.name, entity: entity, className: className)).inserted }
  }

  private func notRegistered(_ className: String, _ entity: EntityDescription) -> ModelProblem {
    ModelProblem.warning(
      "class-not-registered", at: ModelPath().item("entities", entity.index).key("className"),
      message:
        "No class is registered as \(className), so objects of \(entity.name) are plain managed objects.",
      remedy: "Give \(className) to the coordinator, or take the className out of the model.")
  }

  private func notUsed(_ className: String) -> ModelProblem {
    ModelProblem.warning(
      "class-not-used", at: ModelPath(),
      message:
        "No entity names the class \(className): accessors and dependent keys of \(className) are never used.",
      remedy: "Name it as the className of an entity, or do not give it to the coordinator.")
  }
}
