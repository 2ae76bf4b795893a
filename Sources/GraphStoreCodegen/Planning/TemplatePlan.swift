import GraphStoreModel

/// A function to be written for a template.
struct TemplatePlan: Sendable {
  /// The function's parameter for a variable.
  struct Parameter: Sendable {
    /// The name as it is declared.
    var name: String
    /// The name of the variable.
    var variable: String
    /// The type.
    var type: String
    /// Whether there are several values.
    var isList: Bool
  }

  /// The function's name as it is declared.
  var name: String
  /// The name of the template.
  var template: String
  /// The class of the results.
  var result: String
  var parameters: [Parameter]
  /// The summary of the template, in words.
  var summary: String
}

/// Name and type resolution of the functions for the templates of a model.
struct TemplatePlanner {
  private(set) var templates: [TemplatePlan] = []
  private(set) var findings: [ModelProblem] = []
  private let model: ManagedObjectModel
  private let classes: ClassPlanner
  /// Members of every ``ObjectModel``, and of the generated type itself.
  private var taken: Set<String> = [
    "model", "classes", "loaded", "json", "createStore", "openStore", "fetchRequest",
  ]

  init(_ model: ManagedObjectModel, _ classes: ClassPlanner) {
    self.model = model
    self.classes = classes
  }

  mutating func plan() {
    for (position, template) in model.fetchRequestTemplates.enumerated() {
      let definition = template.definition
      guard definition.resultType == .objects, definition.groupBy.isEmpty, definition.having == nil else {
        findings.append(
          ModelProblem.warning(
            "template-left-out", at: ModelPath().item("fetchRequests", position),
            message: "The template \(template.name) is left out: it does not return objects.",
            remedy: "Fetch the objects and read from them what is needed."))
        continue
      }
      let name = SwiftName.declared(template.name, taken: taken)
      taken.insert(SwiftName.plain(name))
      templates.append(
        TemplatePlan(
          name: name, template: template.name, result: classes.className(of: template.entity),
          parameters: parameters(of: template), summary: summary(of: template)))
    }
  }

  private func parameters(of template: FetchRequestTemplate) -> [TemplatePlan.Parameter] {
    guard let predicate = template.predicate else { return [] }
    var names: Set<String> = []
    return PredicateVariableTypes(predicate, of: template.entity).variables.map { name, type in
      let parameter = SwiftName.declared(SwiftName.parameter(name), taken: names)
      names.insert(SwiftName.plain(parameter))
      if case .list(let member) = type {
        let list = "[\(self.type(member, in: "any"))]"
        return TemplatePlan.Parameter(name: parameter, variable: name, type: list, isList: true)
      }
      return TemplatePlan.Parameter(name: parameter, variable: name, type: self.type(type), isList: false)
    }
  }

  private func type(_ type: VariableType, in unknown: String = "some") -> String {
    switch type {
    case .attribute(let type): classes.types[SwiftType.name(of: type)]
    case .object(let entity): classes.className(of: entity)
    case .anything, .list: "\(unknown) \(classes.types["ValueConvertible"])"
    }
  }

  private func summary(of template: FetchRequestTemplate) -> String {
    let condition = template.definition.predicate.map { " where `\($0)`" } ?? ""
    return "The template `\(template.name)`: \(template.entity.name)\(condition)."
  }
}
