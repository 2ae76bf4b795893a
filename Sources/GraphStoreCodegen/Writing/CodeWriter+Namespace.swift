import GraphStoreModel

extension CodeWriter {
  /// The type for the model: the model itself, its classes and its templates.
  func writeNamespace() {
    line()
    documentation("The model \(plan.modelName) with the classes of its objects.")
    block("\(access)enum \(plan.namespace): \(types["ObjectModel"])") {
      documentation("The model; the same object at every call.")
      line(
        "\(access)static var model: \(types["ManagedObjectModel"]) { get throws { try loaded.get() } }")
      line()
      writeRegistration()
      for template in plan.templates {
        line()
        writeFunction(template)
      }
      line()
      line(
        "private static let loaded = \(types["Result"]) { try \(types["ManagedObjectModel"])(json: json.utf8) }"
      )
      line()
      writeModel()
    }
    writeKeyPaths()
  }

  private func writeRegistration() {
    let registered = plan.classes.compactMap { planned in
      planned.registeredName.map { (name: $0, type: planned.name) }
    }
    documentation("The classes by the names under which the model knows them.")
    let head = "\(access)static let classes: [\(types["String"]): \(types["ManagedObject"]).Type] = ["
    guard !registered.isEmpty else { return line("\(head):]") }
    line(head)
    for entry in registered { line("  \(SwiftLiteral.text(entry.name)): \(entry.type).self,") }
    line("]")
  }

  private func writeFunction(_ template: TemplatePlan) {
    let parameters = template.parameters.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
    let values = template.parameters.map { parameter in
      let value =
        parameter.isList ? ".list(\(parameter.name).map(\\.queryValue))" : "\(parameter.name).queryValue"
      return "\(SwiftLiteral.text(parameter.variable)): \(value)"
    }
    documentation(template.summary)
    let result = "\(types["FetchRequest"])<\(template.result)>"
    block("\(access)static func \(template.name)(\(parameters)) throws -> \(result)") {
      let name = SwiftLiteral.text(template.template)
      let variables = values.isEmpty ? "" : ", variables: [\(values.joined(separator: ", "))]"
      line("try fetchRequest(\(template.result).self, fromTemplate: \(name)\(variables))")
    }
  }

  /// The model's JSON, so that a program needs no file beside itself.
  private func writeModel() {
    let json = String(decoding: plan.definition.jsonData(), as: UTF8.self)
    let fence = SwiftLiteral.fence(for: json)
    line("private static let json = \(fence)\"\"\"")
    for part in json.split(separator: "\n") { line("  " + part) }
    line("  \"\"\"\(fence)")
  }
}
