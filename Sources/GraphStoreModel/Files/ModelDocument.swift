/// A model file that was read and is not checked yet.
struct ModelDocument: Sendable {
  /// The definition that it describes.
  var definition: ModelDefinition
  /// The model's name where the file has none; nil for a model without a file.
  var name: String?
  /// The file that was read.
  var file: String?
  /// The findings of the reader, which dropped or mended something.
  var findings: [ModelProblem] = []
  /// The path at which strings files are looked for.
  var strings: StringsLocation?
  /// Core Data's identification of it, where its package lists that.
  var coreDataVersion: CoreDataVersion?
  /// The problems of form, without positions, and the paths they are at.
  private(set) var formProblems: [ModelProblem] = []
  private(set) var problemPaths: Set<ModelPath> = []
  private var modelTexts: [ModelLocalization.Source]?
  private var text: (source: ModelSource, root: JSONNode)?

  /// A definition made in code, or that of a foreign file.
  init(_ definition: ModelDefinition, file: String? = nil) {
    self.definition = definition
    self.file = file
  }

  /// A model's definition, with its localized texts from any source.
  init(model: ManagedObjectModel) {
    definition = model.definition
    name = model.name
    modelTexts = model.localization.sources
  }

  /// The findings of the reader that the user info does not silence.
  var audibleFindings: [ModelProblem] { findings.audible(in: definition) }

  /// The sources of localized texts.
  var texts: [ModelLocalization.Source] {
    modelTexts ?? [ModelLocalization.Source(texts: definition.localization, strings: strings)]
  }

  /// Reads JSON.
  ///
  /// - Throws: `model-syntax`; problems of form wait for ``check(trustsPatterns:)``.
  init(json bytes: [UInt8], file: String? = nil) throws(ModelError) {
    let source = ModelSource(bytes, file: file)
    let root = try source.parse()
    var reader = ModelReader()
    definition = reader.read(root)
    self.file = file
    formProblems = reader.problems
    problemPaths = reader.problemPaths
    text = (source, root)
  }

  /// Reads a file of any format, of a directory of versions the current one or that of `DIRECTORY#VERSION`.
  ///
  /// - Throws: `model-not-found`, `model-unreadable`, `model-syntax`, `model-bad-version`.
  init(contentsOf path: String) throws(ModelError) {
    let versions = try ModelVersions(at: path)
    self = try versions.document(named: versions.currentName)
  }

  /// Reads a file of one model.
  init(contentsOf path: String, _ format: ModelFormat) throws(ModelError) {
    if format == .json, let stored = try EmbeddedModels.document(at: path) {
      self = stored
      return
    }
    if format == .json {
      try self.init(json: try ModelFile.read(path), file: path)
    } else {
      let isFolder = try ModelFile.kind(of: path) == .directory
      let file = isFolder ? try XcodeModelFolder.contents(of: path) : path
      let bytes = try ModelFile.read(file)
      let model = try ForeignModelReader.read(bytes, format, file: file)
      self.init(model.definition, file: file)
      findings = model.findings
      if format == .compiled { coreDataVersion = VersionInfo.version(ofCompiledModelAt: file, bytes) }
    }
    let place = XcodeModelFolder.folder(ofContents: path) ?? path
    name = ModelFile.baseName(of: place)
    strings = StringsLocation(besides: place)
  }

  /// Checks the definition as a whole.
  ///
  /// - Throws: ``ModelError`` with every problem of form and of meaning, in document order.
  func check(trustsPatterns: Bool = false) throws(ModelError) -> ModelValidator {
    let (validator, problems) = examine(trustsPatterns: trustsPatterns)
    guard problems.isEmpty else {
      throw ModelError(located(problems), file: file)
    }
    return validator
  }

  /// Checks the definition as a whole.
  ///
  /// - Returns: The validator with its findings, and every problem of form and of meaning, without positions
  ///   and order.
  func examine(trustsPatterns: Bool = false) -> (validator: ModelValidator, problems: [ModelProblem]) {
    var validator = ModelValidator(definition, problemPaths: problemPaths, trustsPatterns: trustsPatterns)
    validator.check()
    return (validator, formProblems + validator.problems)
  }

  /// Problems with the lines and columns they are in, where the file is text, and in the order of the file.
  func located(_ problems: [ModelProblem]) -> [ModelProblem] {
    guard let text else { return ModelProblem.inDocumentOrder(problems) }
    var places = SourcePositions(text.source.bytes, text.root)
    let located = problems.map { problem in
      var problem = problem
      let place = places.place(of: problem.path)
      problem.line = place.line
      problem.column = place.column
      return problem
    }
    return ModelProblem.inDocumentOrder(located)
  }
}

/// A model in another maker's form, as its reader understood it.
struct ForeignModel: Sendable {
  /// The definition of the file, in its evident sense; not checked yet.
  var definition: ModelDefinition
  /// Findings about parts dropped or mended because they make no sense, in document order.
  var findings: [ModelProblem] = []
}

/// Dispatch to the readers of other makers' models.
enum ForeignModelReader {
  /// Reads the bytes of one model.
  ///
  /// - Throws: `model-unreadable`, `model-syntax`; what makes no sense in an otherwise good file is a
  ///   finding.
  static func read(
    _ bytes: [UInt8], _ format: ModelFormat, file: String?
  ) throws(ModelError) -> ForeignModel {
    switch format {
    case .compiled: return try CompiledModelReader.read(bytes, file: file)
    case .xcodeModel: return try XcodeModelReader.read(bytes, file: file)
    default:
      throw ModelFile.unreadable(file ?? "the model", "Models of this kind cannot be read.")
    }
  }
}
