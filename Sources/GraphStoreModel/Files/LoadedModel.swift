/// A model as it came from its file, with what its reader has to say.
public struct LoadedModel: Sendable {
  /// The model.
  public let model: ManagedObjectModel
  /// What the reader dropped, mended or noticed, in document order; problems are thrown instead.
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
  package init(json text: String) throws(ModelError) {
    try self.init(try ModelDocument(json: Array(text.utf8)))
  }

  /// Reads the JSON of a model that a store carries, see ``ManagedObjectModel/init(storedJSON:)``.
  package init(storedJSON text: String) throws(ModelError) {
    self.init(model: try ManagedObjectModel(storedJSON: text), findings: [], file: nil)
  }
}
