/// A model file that was read and is not checked yet.
struct ModelDocument {
  /// What it describes.
  var definition: ModelDefinition
  /// The model's name where the file gives none; nil for a model without a file.
  var name: String?
  /// The file that was read.
  var file: String?
  /// What the reader dropped or mended.
  var findings: [ModelFinding] = []
  /// Where strings files are looked for.
  var strings: StringsPlace?
  private var faults: [ModelProblem] = []
  private var faulty: Set<ModelPath> = []
  private var text: (source: ModelSource, root: JSONNode)?

  /// A definition made in code, or that of a model.
  init(_ definition: ModelDefinition, file: String? = nil) {
    self.definition = definition
    self.file = file
  }

  /// Reads JSON.
  ///
  /// - Throws: `model-syntax`; faults of form wait for ``check(trustsPatterns:)``.
  init(json bytes: [UInt8], file: String? = nil) throws(ModelError) {
    let source = ModelSource(bytes, file: file)
    let root = try source.parse()
    var reader = ModelReader()
    definition = reader.read(root)
    self.file = file
    faults = reader.problems
    faulty = reader.faulty
    text = (source, root)
  }

  /// Reads a file of any format, of a directory of versions the current one.
  ///
  /// - Throws: `model-not-found`, `model-unreadable`, `model-syntax`, `model-bad-version`.
  init(contentsOf path: String) throws(ModelError) {
    let format = try ModelFormat(at: path)
    if format.hasVersions {
      let versions = try ModelVersions(at: path, format)
      self = try versions.document(named: versions.currentName)
    } else {
      try self.init(contentsOf: path, format)
    }
  }

  /// Reads a file of one model.
  init(contentsOf path: String, _ format: ModelFormat) throws(ModelError) {
    if format == .json {
      try self.init(json: try ModelFile.read(path), file: path)
    } else {
      let isFolder = try ModelFile.kind(of: path) == .directory
      let file = isFolder ? ModelFile.path("contents", in: path) : path
      let model = try ForeignModelReader.read(try ModelFile.read(file), format, file: file)
      self.init(model.definition, file: file)
      findings = model.findings
    }
    name = ModelFile.baseName(of: path)
    strings = StringsPlace(besides: path)
  }

  /// Checks the definition as a whole.
  ///
  /// - Throws: ``ModelError`` with every fault of form and of meaning, in document order.
  func check(trustsPatterns: Bool = false) throws(ModelError) -> ModelChecker {
    var checker = ModelChecker(definition, faulty: faulty, trustsPatterns: trustsPatterns)
    checker.check()
    let problems = faults + checker.problems
    guard problems.isEmpty else {
      throw ModelError(ModelProblem.inDocumentOrder(located(problems)), file: file)
    }
    return checker
  }

  /// Problems with the lines and columns they stand in, where the file is text.
  func located(_ problems: [ModelProblem]) -> [ModelProblem] {
    text.map { $0.source.located(problems, in: $0.root) } ?? problems
  }
}
