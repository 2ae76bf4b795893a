extension ModelLinter {
  /// Checks the written mappings of a directory against the versions they name; a file with problems is one
  /// more entry of the report.
  ///
  /// - Returns: the mappings that fit.
  func checkMappings(of versions: ModelVersions, report: inout ModelCheckReport) -> [MappingFile] {
    let models = Dictionary(
      report.versions.map { ($0.name, $0.model) }, uniquingKeysWith: { first, _ in first })
    var steps: [[String]: [MappingFile]] = [:]
    var order: [[String]] = []
    for path in versions.mappingPaths {
      do throws(ModelError) {
        guard let file = try versions.mappingFile(at: path) else { continue }
        let step = [file.source, file.destination]
        if steps[step] == nil { order.append(step) }
        steps[step, default: []].append(file)
      } catch {
        report.add(error.problems, of: path)
      }
    }
    var fitting: [MappingFile] = []
    for step in order {
      guard let files = steps[step] else { continue }
      // A version with problems is a finding already.
      guard let source = models[step[0]] ?? nil, let destination = models[step[1]] ?? nil else {
        fitting += files
        continue
      }
      let problems = Self.problems(of: files, from: source, to: destination)
      if problems.isEmpty { fitting += files }
      for file in files {
        report.add(problems.filter { $0.file == file.path }, of: file.path ?? "")
      }
    }
    return fitting
  }

  private static func problems(
    of files: [MappingFile], from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> [ModelProblem] {
    do {
      _ = try CheckedMapping.parts(files, from: source, to: destination)
      return []
    } catch let error as ModelError {
      return error.problems
    } catch let error as InferenceError {
      return error.refusals.map { refusal in
        var problem = ModelProblem(
          .mappingIncomplete, at: ModelPath(), value: refusal.path,
          message: "The mapping leaves out \(refusal.path), which cannot be inferred: \(refusal.reason).",
          remedy: refusal.remedy)
        problem.file = files.last?.path
        return files.last?.located([problem]).first ?? problem
      }
    } catch {
      return []
    }
  }
}

extension ModelCheckReport {
  /// Adds a file beside the versions that has problems.
  fileprivate mutating func add(_ problems: [ModelProblem], of path: String) {
    guard !problems.isEmpty else { return }
    versions.append(
      Version(
        name: ModelFile.baseName(of: path), file: path, isCurrent: false, findings: problems, model: nil,
        document: nil
      ))
  }
}
