import Foundation

extension ManagedObjectModel {
  /// Reads and checks a model file.
  ///
  /// - Parameter path: the file; its base name is the model's name where the file gives none.
  /// - Throws: ``ModelError``: `model-not-found`, `model-unreadable`, `model-syntax`, or every fault of the model with line
  ///   and column, in document order.
  public convenience init(contentsOf path: String) throws(ModelError) {
    let bytes = try Self.read(path)
    let url = URL(fileURLWithPath: path)
    try self.init(json: bytes, name: url.deletingPathExtension().lastPathComponent, file: path)
  }

  /// Reads and checks the JSON of a model.
  ///
  /// - Parameter name: the model's name where the JSON gives none.
  /// - Throws: ``ModelError``, see ``init(contentsOf:)``.
  public convenience init(json: some Sequence<UInt8>, name: String? = nil) throws(ModelError) {
    try self.init(json: Array(json), name: name, file: nil)
  }

  /// Reads the JSON of a model that a store carries: it was checked when the store was made.
  ///
  /// It is checked again except that its patterns are compiled when the first value is checked.
  package convenience init(storedJSON text: String) throws(ModelError) {
    try self.init(json: Array(text.utf8), name: nil, file: nil, trustsPatterns: true)
  }

  private convenience init(
    json bytes: [UInt8], name: String?, file: String?, trustsPatterns: Bool = false
  ) throws(ModelError) {
    let source = ModelSource(bytes, file: file)
    let root = try source.parse()
    var reader = ModelReader()
    let definition = reader.read(root)
    var checker = ModelChecker(definition, faulty: reader.faulty, trustsPatterns: trustsPatterns)
    checker.check()
    let problems = reader.problems + checker.problems
    guard problems.isEmpty else { throw source.error(problems, in: root) }
    self.init(checker, name: name)
  }

  private static func read(_ path: String) throws(ModelError) -> [UInt8] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw ModelError(
        [ModelProblem(.notFound, at: ModelPath(), value: path, "There is no model at \(path).")], file: path)
    }
    if isDirectory.boolValue {
      throw unreadable(path, "\(path) is a directory, not a model file.")
    }
    do {
      return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw unreadable(path, "\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  private static func unreadable(_ path: String, _ message: String) -> ModelError {
    ModelError([ModelProblem(.unreadable, at: ModelPath(), value: path, message)], file: path)
  }

  /// The model as JSON that reads back to an equal model: pretty, in the order of the format's keys, without the keys
  /// that are at their defaults.
  public func jsonData() -> Data { definition.jsonData() }
}
