import Foundation

extension ManagedObjectModel {
  /// Reads and checks a model of any format: a JSON file, a directory of versions (its current one), a model
  /// of Xcode's or a compiled one.
  ///
  /// In a directory of versions, another one than the current is named `DIRECTORY#VERSION`. The format is
  /// determined by the ending, else by what the file holds; see ``ModelFormat``. Parts that a reader of
  /// another maker's form had to drop are listed by ``LoadedModel``.
  ///
  /// - Parameter path: the file or directory; its base name is the model's name where the file has none.
  /// - Throws: ``ModelError``: `model-not-found`, `model-unreadable`, `model-bad-version`, `model-syntax`, or
  ///   every problem of the model with line and column, in document order.
  public convenience init(contentsOf path: String) throws(ModelError) {
    try self.init(try ModelDocument(contentsOf: path))
  }

  /// Reads and checks the JSON of a model.
  ///
  /// - Parameters:
  ///   - json: The JSON in UTF-8.
  ///   - name: The model's name where the JSON has none.
  /// - Throws: ``ModelError``, see ``init(contentsOf:)``.
  public convenience init(json: some Sequence<UInt8>, name: String? = nil) throws(ModelError) {
    var document = try ModelDocument(json: Array(json))
    document.name = name
    try self.init(document)
  }

  /// Reads the JSON of a model that a store carries: it was checked when the store was made.
  ///
  /// It is checked again except that its patterns are compiled when the first value is checked.
  ///
  /// - Parameter name: The model's name where the JSON has none.
  package convenience init(storedJSON text: String, name: String? = nil) throws(ModelError) {
    var document = try ModelDocument(json: Array(text.utf8))
    document.name = name
    try self.init(document, trustsPatterns: true)
  }

  /// Checks what was read.
  convenience init(_ document: ModelDocument, trustsPatterns: Bool = false) throws(ModelError) {
    let validator = try document.check(trustsPatterns: trustsPatterns)
    self.init(
      validator, name: document.name, texts: document.texts, coreDataVersion: document.coreDataVersion)
  }

  /// An equal model that Core Data knows by a version: stores that are made of it carry the hashes of that.
  ///
  /// - Throws: ``ModelError`` never for a model that was checked.
  public func known(as version: CoreDataVersion) throws(ModelError) -> ManagedObjectModel {
    var document = ModelDocument(model: self)
    document.coreDataVersion = version
    return try ManagedObjectModel(document)
  }

  /// The model as JSON that reads back to an equal model: pretty, in the order of the format's keys, without
  /// the keys that are at their defaults.
  public func jsonData() -> Data { definition.jsonData() }
}

extension ManagedObjectModel {
  /// Looks for a model by name: `NAME.graphmodel`, then `NAME.json`, in each directory in turn, and reads the
  /// first there is.
  ///
  /// - Parameters:
  ///   - name: The name, without an ending.
  ///   - directories: Where to look; for nil in the current directory and in that of the executable.
  /// - Throws: ``ModelError``: `model-not-found` with every path that was tried, else see
  ///   ``init(contentsOf:)``.
  public convenience init(named name: String, in directories: [String]? = nil) throws(ModelError) {
    try self.init(contentsOf: try Self.path(named: name, in: directories ?? Self.standardDirectories))
  }

  package static func path(named name: String, in directories: [String]) throws(ModelError) -> String {
    let paths = directories.flatMap { directory in
      [ModelFormat.versions, .json].map { ModelFile.path("\(name).\($0.rawValue)", in: directory) }
    }
    guard let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
      throw ModelFile.notFound(paths)
    }
    return path
  }

  private static var standardDirectories: [String] {
    let executable = Bundle.main.executablePath.map { ModelFile.directory(of: $0) }
    return [FileManager.default.currentDirectoryPath] + (executable.map { [$0] } ?? [])
  }
}
