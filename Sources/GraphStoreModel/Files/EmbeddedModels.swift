import Synchronization

/// Reader of the models that stores carry, which belongs to a floor above: with it a store is taken wherever
/// a model is.
package struct EmbeddedModels: Sendable {
  /// Whether a file is a store, found out without harm to one that is open.
  package let isStore: @Sendable (_ path: String) -> Bool
  /// Reads the model inside the store at a path.
  package let read: @Sendable (_ path: String) throws -> LoadedModel

  /// Makes a reader.
  package init(
    isStore: @escaping @Sendable (_ path: String) -> Bool,
    read: @escaping @Sendable (_ path: String) throws -> LoadedModel
  ) {
    self.isStore = isStore
    self.read = read
  }

  private static let reader = Mutex<EmbeddedModels?>(nil)

  /// Registers the reader by which stores are read as models from now on, in the whole process.
  package static func register(_ models: EmbeddedModels) { reader.withLock { $0 = models } }

  /// Whether a file is a store; never in a program that reads none as models.
  static func isStore(_ path: String) -> Bool { reader.withLock(\.self)?.isStore(path) == true }

  /// The model inside a store; nil where the file is none, and in a program that reads none.
  ///
  /// - Throws: `model-unreadable` for a store whose model cannot be read.
  static func document(at path: String) throws(ModelError) -> ModelDocument? {
    guard let models = reader.withLock(\.self), models.isStore(path) else { return nil }
    let loaded: LoadedModel
    do { loaded = try models.read(path) } catch let error as ModelError {
      throw error
    } catch {
      throw ModelFile.unreadable(path, "\(error)", remedy: "Give the model that the store was made with.")
    }
    var document = ModelDocument(model: loaded.model)
    document.coreDataVersion = loaded.model.coreDataVersion
    document.findings = loaded.findings
    document.file = path
    return document
  }
}
