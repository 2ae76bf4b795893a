import Synchronization

/// Weak reference to a model, shared by all its descriptions.
///
/// A model holds its descriptions, so these cannot hold it. Each access retains the model or gets nil: no
/// thread can meet one that is half released. A description that outlives its model finds what it refers to
/// in a successor: an equal model, made when it is first asked for and held here.
final class WeakModelReference: Sendable {
  private struct Target {
    weak var model: ManagedObjectModel?
  }

  private static let lastIdentity = Atomic<UInt64>(0)

  /// The number that a model and its successors share with no other.
  let identity: UInt64
  private let name: String
  private let definition: ModelDefinition
  private let texts: [ModelLocalization.Source]
  private let target = Mutex(Target())
  private let successor = Mutex<ManagedObjectModel?>(nil)

  /// Describes a model that is about to be made of a checked definition.
  ///
  /// - Parameter predecessor: that of the model that it replaces.
  init(
    _ definition: ModelDefinition, name: String, texts: [ModelLocalization.Source],
    predecessor: WeakModelReference? = nil
  ) {
    identity = predecessor?.identity ?? Self.lastIdentity.wrappingAdd(1, ordering: .relaxed).newValue
    self.definition = definition
    self.name = name
    self.texts = texts
  }

  /// Refers to the model, which has just been made.
  func bind(to model: ManagedObjectModel) { target.withLock { $0.model = model } }

  /// The model, or the equal one that replaces it once it is released.
  var model: ManagedObjectModel { target.withLock { $0.model } ?? makeSuccessor() }

  private func makeSuccessor() -> ManagedObjectModel {
    successor.withLock { successor in
      if let successor { return successor }
      var validator = ModelValidator(definition)
      validator.check()
      let model = ManagedObjectModel(validator, name: name, texts: texts, predecessor: self)
      successor = model
      return model
    }
  }
}
