import GraphStorePredicates

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
