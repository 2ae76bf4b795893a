import Synchronization

/// Reader of the models that stores carry, which belongs to a floor above: with it a store is taken wherever a model is.
package enum EmbeddedModels {
  /// Reads the model inside the store at a path.
  package typealias Reader = @Sendable (_ path: String) throws -> LoadedModel

  private static let reader = Mutex<Reader?>(nil)

  /// Has stores read as models from now on, in the whole process.
  package static func register(_ read: @escaping Reader) { reader.withLock { $0 = read } }

  /// Whether a file begins as every store does.
  package static func isStore(_ path: String) -> Bool { ModelFile.begins(path, with: magic) }

  /// The first bytes of every store.
  static let magic = Array("SQLite format 3".utf8)

  /// The model inside a store; nil where the file is none, and in a program that reads none.
  ///
  /// - Throws: `model-unreadable` for a store whose model cannot be read.
  static func document(at path: String) throws(ModelError) -> ModelDocument? {
    guard let read = reader.withLock(\.self), try ModelFile.kind(of: path) == .file,
      isStore(path)
    else { return nil }
    let loaded: LoadedModel
    do { loaded = try read(path) } catch let error as ModelError {
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
