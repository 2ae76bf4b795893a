/// Union of several models, checked, before its descriptions are made.
struct MergedModel {
  let validator: ModelValidator
  let name: String?
  let texts: [ModelLocalization.Source]
  let findings: [ModelProblem]

  /// Merges documents and checks the whole.
  ///
  /// - Throws: ``ModelError`` with every problem and every clash, each with its file.
  init(_ documents: [ModelDocument]) throws(ModelError) {
    let merger = ModelMerger(documents)
    var validator = ModelValidator(merger.definition, problemPaths: merger.problemPaths)
    validator.check()
    var problems = documents.map(\.formProblems)
    for (document, problem) in merger.clashes { problems[document].append(problem) }
    for problem in validator.problems {
      guard let origin = Self.origin(of: problem.path, in: merger), problems.indices.contains(origin.document)
      else { continue }
      var problem = problem
      problem.path.components[1] = .index(origin.index)
      problems[origin.document].append(problem)
    }
    guard problems.allSatisfy(\.isEmpty) else { throw Self.error(problems, documents) }
    self.validator = validator
    name = documents.first?.name
    texts = documents.flatMap(\.texts)
    findings = documents.flatMap(\.audibleFindings) + merger.findings.audible(in: merger.definition)
  }

  private static func origin(of path: ModelPath, in merger: ModelMerger) -> ModelMerger.Origin? {
    guard path.components.count > 1, case .key(let list) = path.components[0],
      case .index(let place) = path.components[1], let origins = merger.origins[list],
      origins.indices.contains(place)
    else { return nil }
    return origins[place]
  }

  private static func error(_ problems: [[ModelProblem]], _ documents: [ModelDocument]) -> ModelError {
    let located = zip(problems, documents).flatMap { problems, document in
      document.located(problems).map { problem in
        var problem = problem
        problem.file = document.file
        return problem
      }
    }
    return ModelError(located, file: located.first?.file)
  }
}
