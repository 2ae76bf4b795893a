import GraphStorePredicates

/// A derived attribute, which nobody computes yet, and stored requests that need one.
enum DerivationNotSupportedRule: LintRule {
  static let rule = ModelRule(
    "derivation-not-supported", "An attribute is derived, or a stored request uses one that is.",
    reason:
      "Derived attributes are not computed yet: in stores that GraphStore made they have no value, and requests that use them are refused.",
    remedy: "Write in requests what the attribute is derived from.", scope: .support)

  static func check(_ model: LintedModel, report: inout LintReport) {
    for attribute in model.attributes {
      guard let derivation = attribute.definition.derivation else { continue }
      report.add(
        at: attribute.path.key("derivation"),
        "\(attribute.label) is derived and not computed yet: in stores that GraphStore made no object has a value.",
        remedy: "Write \(format(derivation)) in requests, and expect no value.")
    }
    for request in StoredRequest.all(in: model) { check(request, report: &report) }
  }

  private static func format(_ derivation: String) -> String {
    (try? QueryExpression(derivation: derivation))?.expressionFormat ?? derivation
  }

  private static func check(_ request: StoredRequest, report: inout LintReport) {
    var validator = request.validator
    validator.refusesDerivedAttributes = true
    if let predicate = request.predicate {
      for problem in validator.problems(in: predicate) where problem.code == .notSupported {
        report.add(
          at: request.path.key("predicate"),
          "The predicate of \(request.label) is refused: \(problem.message)",
          remedy: problem.hint)
      }
    }
    for (position, descriptor) in request.sortDescriptors.enumerated() {
      do throws(QueryPredicateError) {
        _ = try validator.check([descriptor])
      } catch  where error.code == .notSupported {
        report.add(
          at: request.path.item("sort", position),
          "The order of \(request.label) is refused: \(error.message)",
          remedy: error.hint)
      } catch {
        continue
      }
    }
  }
}

/// A stored fetch request that asks for something else than objects.
enum RequestNotSupportedRule: LintRule {
  static let rule = ModelRule(
    "request-not-supported", "A stored fetch request asks for results that are not built yet.",
    reason:
      "A request for anything but objects is refused, and which properties it names makes no difference.",
    remedy: "Take \"resultType\" and \"properties\" out, and choose columns where the request is run.",
    scope: .support)

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, request) in model.definition.fetchRequests.enumerated() {
      let path = ModelPath().item("fetchRequests", position)
      if request.resultType != .objects {
        report.add(
          at: path.key("resultType"),
          "The fetch request \"\(request.name)\" asks for \(request.resultType.rawValue), and only objects are fetched yet: it is refused."
        )
      } else if !request.properties.isEmpty {
        report.add(
          at: path.key("properties"),
          "The fetch request \"\(request.name)\" names properties, which makes no difference yet: objects are fetched whole."
        )
      }
    }
  }
}
