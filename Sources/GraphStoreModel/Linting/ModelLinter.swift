import GraphStorePredicates

/// Linter of models: finds errors, and what is allowed and often a mistake.
///
/// Errors are problems of severity error: a model with one cannot be used. Findings of severity warning are
/// made by the rules in ``rules``. A rule is silenced for a model, an entity or a property by its name in a
/// list under `checkIgnore` in the user info there. Findings are in document order and are the same on every
/// run. The cost is a few walks over the model.
///
/// ```swift
/// var linter = ModelLinter()
/// linter.disabledRules = ["optional-number"]
/// for problem in linter.findings(in: model) { print(problem.path, problem.message) }
/// ```
public struct ModelLinter: Sendable {
  /// The names of rules that do not run.
  public var disabledRules: Set<String> = []
  /// The names of rules that run although they are off by default.
  public var enabledRules: Set<String> = []
  /// Whether all rules run; if not, there are findings of errors, of reading, and of what is not supported
  /// yet.
  public var includesWarnings = true

  /// Makes a check with all rules but those that are off by default.
  public init() {}

  /// All rules: those over one model, over the versions of a model, over a model and the objects of a store,
  /// and over what happened while a model was read, merged or used.
  public static let rules: [ModelRule] =
    LintRules.all.map { $0.rule } + ModelRule.ofVersions + ModelRule.ofStores + ModelRule.ofSources

  /// The rule of a name.
  public static func rule(named name: String) -> ModelRule? { rulesByName[name] }

  private static let rulesByName = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })

  /// Everything found in a model.
  public func findings(in model: ManagedObjectModel) -> [ModelProblem] { findings(in: model.definition) }

  /// Everything found in a definition, which need not be a model that can be used.
  public func findings(in definition: ModelDefinition) -> [ModelProblem] {
    check(ModelDocument(definition)).findings
  }

  /// Everything found in the JSON of a model, with lines and columns.
  ///
  /// - Parameters:
  ///   - bytes: The JSON in UTF-8.
  ///   - name: The model's name where the JSON has none.
  /// - Returns: the findings, and the model if it can be used.
  public func findings(
    inJSON bytes: [UInt8], name: String? = nil
  ) -> (findings: [ModelProblem], model: ManagedObjectModel?) {
    do throws(ModelError) {
      var document = try ModelDocument(json: bytes)
      document.name = name
      return check(document)
    } catch {
      return (error.problems, nil)
    }
  }

  /// Checks a document that was read: what its reader found belongs to the findings.
  func check(_ document: ModelDocument) -> (findings: [ModelProblem], model: ManagedObjectModel?) {
    let (validator, problems) = document.examine()
    let model =
      problems.isEmpty
      ? ManagedObjectModel(validator, name: document.name, texts: document.texts) : nil
    var findings =
      problems + document.findings.filter { !disabledRules.contains($0.code.rawValue) }
    findings += warnings(in: LintedModel(validator, model: model))
    let audible = document.located(audible(findings, in: validator.definition))
    return (audible + Self.unreadableStrings(besides: document), model)
  }

  /// The strings files of a model that cannot be read (MDL-278); their lines are not those of the model.
  private static func unreadableStrings(besides document: ModelDocument) -> [ModelProblem] {
    let paths = document.strings?.paths(language: ModelLanguage.current) ?? []
    return paths.compactMap { path in
      guard (try? ModelFile.kind(of: path)) == .file else { return nil }
      do throws(StringsFileError) {
        _ = try StringsFile.read(path)
        return nil
      } catch {
        var finding = error.finding
        if let line = error.line, let column = error.column {
          finding.message = "\(path):\(line):\(column): \(error.message)"
        }
        finding.line = nil
        finding.column = nil
        return finding
      }
    }
  }

  /// The findings that the user info of a definition does not silence.
  package func audible(_ findings: [ModelProblem], in definition: ModelDefinition) -> [ModelProblem] {
    findings.audible(in: definition)
  }

  private func warnings(in model: LintedModel) -> [ModelProblem] {
    var findings: [ModelProblem] = []
    for type in LintRules.all where runs(type.rule) {
      var report = LintReport(type.rule)
      type.check(model, report: &report)
      findings += report.findings
    }
    return findings
  }

  /// Whether a rule is to run.
  func runs(_ rule: ModelRule) -> Bool {
    guard !disabledRules.contains(rule.id), includesWarnings || rule.scope == .support else { return false }
    return !rule.isOptIn || enabledRules.contains(rule.id)
  }
}
