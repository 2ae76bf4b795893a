/// Reader of Xcode's models: the file `contents` in a folder `NAME.xcdatamodel`.
///
/// A part that is not understood is a finding and kept for writing back; one that makes no sense is read in
/// its evident sense, or left out with a finding. The definition has no problems: one that cannot be mended
/// is thrown.
struct XcodeModelReader {
  /// The most readings, each of which leaves out more of what makes no sense.
  private static let maximumPasses = 10

  /// Reads a model.
  ///
  /// - Throws: ``ModelError``: `model-syntax` for a text that is no XML or no model, else every problem that
  ///   cannot be mended, with line and column.
  static func read(_ xml: [UInt8], file: String?) throws(ModelError) -> ForeignModel {
    let reader = XcodeModelReader(xml, file: file)
    let root = try reader.parse()
    return try reader.read(root)
  }

  private let bytes: [UInt8]
  private let file: String?

  private init(_ bytes: [UInt8], file: String?) {
    self.bytes = bytes
    self.file = file
  }

  private func parse() throws(ModelError) -> MarkupElement {
    if bytes.starts(with: Array("bplist".utf8)) {
      throw ModelError(
        [
          ModelProblem(
            .unreadable, at: ModelPath(), message: "This is the binary archive of a very old Xcode, not XML.",
            remedy: "Save the model with Xcode 4 or later.")
        ], file: file)
    }
    do throws(MarkupParser.Failure) {
      let root = try MarkupParser.parse(bytes)
      guard root.name == "model" else {
        throw MarkupParser.Failure(
          offset: root.offset, message: "A model of Xcode begins with <model>, not <\(root.name)>.")
      }
      return root
    } catch {
      let place = TextPositions(bytes).position(of: error.offset)
      throw ModelError(
        [
          ModelProblem(
            .syntax, at: ModelPath(), message: error.message, line: place.line, column: place.column)
        ],
        file: file)
    }
  }

  private func read(_ root: MarkupElement) throws(ModelError) -> ForeignModel {
    var drops: [Int: Set<String>] = [:]
    var warnings: [XcodeModelConverter.LocatedProblem] = []
    var number = 1
    while true {
      var pass = XcodeModelConverter(root, drops: drops, keepsOrigins: number > 1)
      pass.read()
      var validator = ModelValidator(pass.definition)
      validator.check()
      let problems = pass.problems + validator.problems
      guard !problems.isEmpty else {
        return ForeignModel(definition: pass.definition, findings: findings(warnings + pass.warnings))
      }
      if number > 1 {
        let mends = problems.compactMap { XcodeRepair($0, in: pass) }
        guard !mends.isEmpty, number < Self.maximumPasses else { throw error(problems, in: pass) }
        for mend in mends where drops[mend.element, default: []].insert(mend.attribute).inserted {
          warnings.append(mend.note)
        }
      }
      number += 1
    }
  }

  /// The findings in document order, with lines and columns.
  private func findings(_ warnings: [XcodeModelConverter.LocatedProblem]) -> [ModelProblem] {
    guard !warnings.isEmpty else { return [] }
    let positions = TextPositions(bytes)
    return warnings.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
      .map {
        var finding = $0.element.finding
        (finding.line, finding.column) = positions.position(of: $0.element.offset)
        return finding
      }
  }

  private func error(_ problems: [ModelProblem], in pass: XcodeModelConverter) -> ModelError {
    let positions = TextPositions(bytes)
    let located = problems.map { problem in
      var problem = problem
      let place = positions.position(of: pass.origin(of: problem.path)?.offset ?? pass.root.offset)
      problem.line = place.line
      problem.column = place.column
      return problem
    }
    return ModelError(ModelProblem.inDocumentOrder(located), file: file)
  }
}
