import GraphStore
import GraphStoreModel

/// Loose search for objects by a text that people read, such as `name=beziers`: by the attribute that the
/// model derives from the one named as its normalised form, where there is one, and else by any part of its
/// text without regard to case and accents.
struct TextSearch {
  /// What the search is read as.
  let predicate: QueryPredicate

  /// - Parameter text: a key or key path, `=`, and what is looked for.
  /// - Throws: a usage error for a text of another form; ``LocatedPredicateError`` for what is no key path.
  init(_ text: String, of entity: EntityDescription) throws {
    guard let sign = text.firstIndex(of: "="), sign > text.startIndex, text.index(after: sign) < text.endIndex
    else {
      throw Diagnostic(
        code: "usage", message: "--search takes key=text, not '\(text)'", exitCode: .usage)
    }
    let key = String(text[..<sign])
    let term = QueryExpression.constant(String(text[text.index(after: sign)...]))
    let path = try EntityQuery.located(key, label: "--search", entity: entity) {
      () throws(QueryPredicateError) in try QueryKeyPath(parsing: key)
    }
    predicate = .comparison(
      Self.normalised(path, term, of: entity)
        ?? QueryComparison(
          left: QueryExpression(.keyPath(path)), comparator: .contains,
          options: [.caseInsensitive, .diacriticInsensitive], right: term))
  }

  /// The comparison with the normalised form of an attribute, which an index can answer; nil where the model
  /// derives none.
  private static func normalised(
    _ path: QueryKeyPath, _ term: QueryExpression, of entity: EntityDescription
  ) -> QueryComparison? {
    guard let keys = path.plainKeys, let key = keys.last else { return nil }
    var owner = entity
    for key in keys.dropLast() {
      guard let next = owner.relationshipsByName[key]?.destination else { return nil }
      owner = next
    }
    for attribute in owner.attributes {
      guard case .text(let function, [key])? = attribute.derivation.flatMap(Derivation.init),
        function == .normalize || function == .canonical
      else { continue }
      return QueryComparison(
        left: QueryExpression(
          .keyPath(QueryKeyPath(steps: keys.dropLast().map { .key($0) } + [.key(attribute.name)]))),
        comparator: .beginsWith, options: .normalized, right: QueryExpression(.function(function, [term])))
    }
    return nil
  }
}
