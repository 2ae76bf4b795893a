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

extension LoadedModel {
  /// The greatest length of an archive, as a multiple of its compressed length; real ones have up to ten.
  private static let maximumExpansion = 256
  private static let maximumArchive = 1 << 28

  /// Reads and checks the model that a store of Core Data carries: a compiled model, compressed with DEFLATE.
  ///
  /// - Parameter name: The model's name, which the store does not say.
  /// - Throws: ``ModelError``: `model-syntax` for bytes that are no such model, otherwise every problem of the model.
  package init(modelCache bytes: [UInt8], name: String) throws(ModelError) {
    let limit = min(Self.maximumArchive, bytes.count * Self.maximumExpansion + 65_536)
    let archive: [UInt8]
    do throws(Inflate.Failure) {
      archive = try Inflate.content(of: bytes, limit: limit)
    } catch {
      let reason =
        switch error {
        case .truncated: "It is cut short."
        case .damaged: "Its compression is damaged."
        case .tooLong: "It would be longer than \(limit) bytes."
        }
      throw ModelError(
        [ModelProblem(.syntax, at: ModelPath(), message: "The compiled model cannot be read. \(reason)")])
    }
    let model = try CompiledModelReader.read(archive, file: nil)
    var document = ModelDocument(model.definition)
    document.name = name
    document.findings = model.findings
    try self.init(document)
  }
}
