import GraphStore

/// Problems and warnings of a predicate about an entity.
package struct PredicateFindings {
  /// The predicate; nil where its text cannot be read.
  package private(set) var predicate: QueryPredicate?
  /// What makes the predicate useless.
  package private(set) var problems: [Diagnostic] = []
  /// What is allowed, and was probably meant otherwise.
  package private(set) var warnings: [Diagnostic] = []

  /// Reads a predicate about an entity, and checks it.
  ///
  /// - Parameters:
  ///   - portable: Whether it is to mean the same in other programs.
  ///   - coordinator: Finds the objects that the text names; nil where no store is open.
  package init(
    _ text: String, _ entity: EntityDescription, portable: Bool, in coordinator: PersistentStoreCoordinator?
  ) {
    func finding(_ error: QueryPredicateError) -> Diagnostic {
      DiagnosticMapper.diagnostic(
        LocatedPredicateError(
          error: error, label: LocatedPredicateError.unnamedLabel, text: text, entity: entity))
    }
    do throws(QueryPredicateError) {
      let predicate = try QueryPredicate(parsing: text)
      self.predicate = predicate
      var checker = PredicateTypeChecker(
        entity: entity, source: text, resolve: Self.resolver(coordinator, entity))
      checker.allowsVariables = true
      problems = checker.problems(in: predicate).map(finding)
      warnings = checker.warnings(in: predicate, portable: portable).map { warning in
        var diagnostic = finding(warning)
        diagnostic.severity = .warning
        diagnostic.exitCode = .success
        return diagnostic
      }
    } catch {
      problems = [finding(error)]
    }
  }

  /// Finds the object that a text names: by the store where one is open, else by the form of the text alone.
  private static func resolver(
    _ coordinator: PersistentStoreCoordinator?, _ entity: EntityDescription
  ) -> @Sendable (String) -> ObjectReference? {
    if let coordinator {
      return { text in coordinator.managedObjectID(forShortForm: text).map { ObjectReference($0) } }
    }
    let names = Set(entity.model.entities.map(\.name))
    return { text in
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2, names.contains(String(parts[0])), parts[1].first == "p",
        parts[1].dropFirst().allSatisfy(\.isNumber), parts[1].count > 1
      else { return nil }
      return ObjectReference(UnresolvedObjectIdentifier(uriText: text))
    }
  }

  /// As members of a JSON object.
  package func write(to json: inout JSONBuilder) {
    if let predicate { json.member("predicate", predicate.predicateFormat) }
    json.key("ok")
    json.value(problems.isEmpty)
    for (name, findings) in [("problems", problems), ("warnings", warnings)] {
      json.key(name)
      json.beginArray()
      for finding in findings {
        json.beginObject()
        json.member("code", finding.code)
        json.member("message", finding.message)
        if let source = finding.source {
          json.member("offset", source.offset)
          json.member("length", source.length)
        }
        if !finding.hints.isEmpty { json.member("hint", finding.hints.joined(separator: "\n")) }
        json.member("suggestions", finding.suggestions)
        json.endObject()
      }
      json.endArray()
    }
  }
}
