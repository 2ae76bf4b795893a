import GraphStore

/// One of the columns that a person asks for: a key path or an expression, and what it is called.
struct ColumnChoice {
  let name: String
  /// The key path, or the text of the expression.
  let field: String
  /// The type of what an expression yields; nil for a key path.
  private(set) var type: ExpressionType?

  init(_ field: String, name: String? = nil, type: ExpressionType? = nil) {
    self.name = name ?? field
    self.field = field
    self.type = type
  }

  /// The columns that a list such as `name, salary * 12 as yearly` names.
  ///
  /// - Parameter all: The columns that `*` stands for.
  /// - Throws: ``LocatedPredicateError`` for one that the entity does not have, or that cannot be computed;
  ///   `duplicate-result-name` where two different ones have one name.
  static func list(
    _ text: String, _ checker: PredicateTypeChecker, all: [ColumnChoice], variables: [String: Value]
  ) throws -> [ColumnChoice] {
    let choices = try ListText(text).parts.flatMap { part -> [ColumnChoice] in
      if part.text == "*", part.name == nil { return all }
      do throws(QueryPredicateError) {
        return try Self.choices(part, checker, variables)
      } catch {
        var error = error
        error.offset = part.offset + (error.offset ?? 0)
        if error.length == 0 { error.length = part.text.utf8.count }
        throw LocatedPredicateError(error: error, label: "--fields", text: text, entity: checker.entity)
      }
    }
    var fields: [String: String] = [:]
    for choice in choices {
      guard let former = fields.updateValue(choice.field, forKey: choice.name), former != choice.field
      else { continue }
      throw Diagnostic(
        code: "duplicate-result-name", message: "two different columns are called \(choice.name)",
        hints: ["give one of them another name: ... as NAME"], exitCode: .usage)
    }
    return choices
  }

  private static func choices(
    _ part: ListText.Part, _ checker: PredicateTypeChecker, _ variables: [String: Value]
  ) throws(QueryPredicateError) -> [ColumnChoice] {
    if checker.entity.isIdentifierKey(part.text) { return [ColumnChoice(part.text, name: part.name)] }
    if try checker.resolved(field: part.text) != nil {
      return ColumnChoice(part.text, name: part.name).leaves(checker)
    }
    let type = try checker.check(field: part.text, variables: variables).type
    return [ColumnChoice(part.text, name: part.name, type: type)]
  }

  /// The column, or of a composite attribute those of its elements.
  func leaves(_ checker: PredicateTypeChecker) -> [ColumnChoice] {
    guard !checker.entity.isIdentifierKey(field), let found = try? checker.resolve(keyPath: field)
    else { return [self] }
    let attribute: AttributeDescription
    switch found.steps.last {
    case .attribute(let attributes) where attributes.count == 1: attribute = attributes[0]
    case .element(let element): attribute = element
    default: return [self]
    }
    guard attribute.type == .composite else { return [self] }
    let owner = field.dropLast(attribute.name.count)
    return attribute.leafKeyPaths.map { leaf in
      ColumnChoice(owner + leaf, name: name + leaf.dropFirst(attribute.name.count))
    }
  }
}
