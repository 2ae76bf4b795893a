/// A model as read from its file, with the findings of its reader.
///
/// ```swift
/// let loaded = try LoadedModel(contentsOf: "Company.xcdatamodeld")
/// for finding in loaded.findings { print(finding.message) }
/// let coordinator = PersistentStoreCoordinator(model: loaded.model)
/// ```
public struct LoadedModel: Sendable {
  /// The model.
  public let model: ManagedObjectModel
  /// Findings of the reader, which dropped, mended or noticed something, in document order; problems are
  /// thrown instead.
  public let findings: [ModelProblem]
  /// The file that was read: inside a directory of versions the file of the version; nil for several.
  public let file: String?

  /// Reads and checks a model of any format, see ``ManagedObjectModel/init(contentsOf:)``.
  ///
  /// - Throws: ``ModelError``.
  public init(contentsOf path: String) throws(ModelError) {
    try self.init(try ModelDocument(contentsOf: path))
  }

  /// Reads and merges several models, see ``ManagedObjectModel/init(mergingContentsOf:)``.
  ///
  /// - Throws: ``ModelError``.
  public init(mergingContentsOf paths: [String]) throws(ModelError) {
    if paths.count == 1 {
      try self.init(contentsOf: paths[0])
    } else {
      let merged = try MergedModel(try paths.mapToDocuments())
      self.init(model: ManagedObjectModel(merged), findings: merged.findings, file: nil)
    }
  }

  /// An equal model that Core Data knows by a version, see ``ManagedObjectModel/known(as:)``.
  package func known(as version: CoreDataVersion) throws(ModelError) -> LoadedModel {
    LoadedModel(model: try model.known(as: version), findings: findings, file: file)
  }

  init(_ document: ModelDocument) throws(ModelError) {
    self.init(
      model: try ManagedObjectModel(document), findings: document.audibleFindings, file: document.file)
  }

  private init(model: ManagedObjectModel, findings: [ModelProblem], file: String?) {
    self.model = model
    self.findings = findings
    self.file = file
  }
}

extension LoadedModel {
  /// Reads and checks the JSON of a model.
  ///
  /// - Parameter name: The model's name where the JSON has none.
  package init(json text: String, name: String? = nil) throws(ModelError) {
    var document = try ModelDocument(json: Array(text.utf8))
    document.name = name
    try self.init(document)
  }

  /// Reads the JSON of a model that a store carries, see ``ManagedObjectModel/init(storedJSON:name:)``.
  package init(storedJSON text: String, name: String? = nil) throws(ModelError) {
    self.init(model: try ManagedObjectModel(storedJSON: text, name: name), findings: [], file: nil)
  }
}

extension LoadedModel {
  /// Reads and checks the model that a store of Core Data carries: a compiled model, compressed with DEFLATE.
  ///
  /// - Parameter name: The model's name, which the store does not say.
  /// - Throws: ``ModelError``: `model-syntax` for bytes that are no such model, otherwise every problem of
  ///   the model.
  package init(modelCache bytes: [UInt8], name: String) throws(ModelError) {
    let model = try CompiledModelReader.read(try ModelCache.archive(of: bytes), file: nil)
    var document = ModelDocument(model.definition)
    document.name = name
    document.findings = model.findings
    try self.init(document)
  }
}
