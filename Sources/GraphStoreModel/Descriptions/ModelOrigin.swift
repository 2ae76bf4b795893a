import Synchronization

/// What the descriptions of a model know of it without holding it: whether it is there, and how to make it anew.
///
/// A model holds its descriptions, and these refer to each other and to the model without holding them, since they would
/// hold each other for ever. One that outlives its model finds what it refers to in a successor: an equal model, made
/// when it is first asked for and held by the origin, which every description holds.
final class ModelOrigin: Sendable {
  private static let lastIdentity = Atomic<UInt64>(0)

  /// The same for a model and its successors, and for no other.
  let identity: UInt64
  private let name: String
  private let definition: ModelDefinition
  private let texts: [ModelLocalization.Source]
  private let isGone = Atomic<Bool>(false)
  private let madeAnew = Mutex<ManagedObjectModel?>(nil)

  /// Describes a model that is about to be made of a checked definition.
  ///
  /// - Parameter predecessor: That of the model that it stands in for.
  init(
    _ definition: ModelDefinition, name: String, texts: [ModelLocalization.Source],
    predecessor: ModelOrigin? = nil
  ) {
    identity = predecessor?.identity ?? Self.lastIdentity.wrappingAdd(1, ordering: .relaxed).newValue
    self.definition = definition
    self.name = name
    self.texts = texts
  }

  /// Whether the model is there, so that what refers to its parts can be followed.
  @inline(__always)
  var isModelAlive: Bool { !isGone.load(ordering: .relaxed) }

  /// Says that nobody holds the model any more.
  func modelIsGoing() { isGone.store(true, ordering: .relaxed) }

  /// The equal model that stands in for the one that is gone.
  var successor: ManagedObjectModel {
    madeAnew.withLock { made in
      if let made { return made }
      var validator = ModelValidator(definition)
      validator.check()
      let model = ManagedObjectModel(validator, name: name, texts: texts, predecessor: self)
      made = model
      return model
    }
  }
}
