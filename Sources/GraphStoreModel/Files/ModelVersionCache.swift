import Synchronization

/// Cache of the models of a directory's versions, by name; threads share it.
///
/// Finding the version of a store compares its hashes with those of many versions, and planning asks for the
/// same models again: each is read and hashed once (MIG-356).
final class ModelVersionCache: Sendable {
  private let models = Mutex<[String: ManagedObjectModel]>([:])

  /// The model of a version, made where there is none yet; threads that ask at once get the same.
  func model(
    named version: String, making: () throws(ModelError) -> ManagedObjectModel
  ) throws(ModelError) -> ManagedObjectModel {
    if let known = models.withLock({ $0[version] }) { return known }
    let made = try making()
    return models.withLock { models in
      let model = models[version] ?? made
      models[version] = model
      return model
    }
  }
}
