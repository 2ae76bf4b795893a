import GraphStorePredicates

/// A derived attribute, which nobody computes yet, and stored requests that need one.
enum DerivationNotSupportedRule: LintRule {
  static let rule = ModelRule(
    "derivation-not-supported", "An attribute is derived, or a stored request uses one that is.",
    reason:
      "Derived attributes are not computed yet: in stores that GraphStore made they have no value, and requests that use them are refused.",
    remedy: "Write in requests what the attribute is derived from.", scope: .support)

  static func look(at model: LintedModel, _ report: inout LintReport) {
    for attribute in model.attributes {
      guard let derivation = attribute.definition.derivation else { continue }
      report.add(
        at: attribute.path.key("derivation"),
        "\(attribute.label) is derived and not computed yet: in stores that GraphStore made no object has a value.",
        remedy: "Write \(format(derivation)) in requests, and expect no value.")
    }
    for request in StoredRequest.all(in: model) { look(at: request, &report) }
  }

  private static func format(_ derivation: String) -> String {
    (try? QueryExpression(derivation: derivation))?.expressionFormat ?? derivation
  }

  private static func look(at request: StoredRequest, _ report: inout LintReport) {
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
