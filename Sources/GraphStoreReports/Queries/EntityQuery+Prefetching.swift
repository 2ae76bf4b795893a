import GraphStore

extension EntityQuery {
  /// The key paths of `--prefetch`, each with its place checked.
  ///
  /// - Throws: ``LocatedPredicateError`` for a key that the entity does not have; `wrong-property-kind` for a
  ///   path with a step that is no relationship; a usage error where the results are no objects.
  static func prefetchPaths(
    _ text: String, of entity: EntityDescription, _ type: FetchRequestResultType
  ) throws -> [String] {
    guard type == .managedObject else {
      throw Diagnostic(
        code: "usage", message: "--prefetch reads related objects, and the results are no objects",
        hints: ["leave it out"], exitCode: .usage)
    }
    let checker = PredicateTypeChecker(entity: entity, source: text)
    return try ListText(text).parts.map { part in
      let steps: [ResolvedKeyPath.Step]
      do throws(QueryPredicateError) {
        steps = try checker.resolve(keyPath: part.text).steps
      } catch {
        var error = error
        error.offset = part.offset + (error.offset ?? 0)
        throw LocatedPredicateError(error: error, label: "--prefetch", text: text, entity: entity)
      }
      if part.name == nil, !part.text.contains("@"), steps.allSatisfy({ $0.relationship != nil }) {
        return part.text
      }
      throw Diagnostic(
        code: "wrong-property-kind",
        message: "\(entity.name).\(part.text) cannot be prefetched: not every step of it is a relationship",
        source: Diagnostic.Source(
          label: "--prefetch", text: text, offset: part.offset, length: part.text.utf8.count),
        hints: ["name relationships alone; their objects' attributes are read with them"], exitCode: .usage)
    }
  }
}
