import GraphStore

extension EntityQuery {
  /// What the store cannot run of a request that must run there, every part with its reason, and the first
  /// one's place.
  func diagnostic(ofRefusal error: GraphStoreError) -> Diagnostic {
    let parts = error.errors.isEmpty ? [error] : error.errors
    var result = DiagnosticMapper.diagnostic(parts[0])
    if parts.count > 1 {
      result.message = "the store cannot run \(parts.count) parts of the request"
      result.details = parts.map { DiagnosticMapper.hint($0.message) }
      result.hints = ["leave out --strict to have them evaluated in memory"]
    } else {
      result.message = DiagnosticMapper.hint(result.message)
      result.hints = result.hints.map {
        $0.replacing("allow evaluation in memory,", with: "leave out --strict,")
      }
    }
    for part in parts {
      guard let cause = part.underlying as? QueryPredicateError, let place = place(of: cause) else {
        continue
      }
      result.source = place
      break
    }
    return result
  }

  /// Where a part stands in the texts of the options.
  private func place(of part: QueryPredicateError) -> Diagnostic.Source? {
    guard let offset = part.offset, let subject = part.subject else { return nil }
    func source(_ label: String, _ text: String) -> Diagnostic.Source? {
      guard offset + part.length <= text.utf8.count else { return nil }
      return Diagnostic.Source(label: label, text: text, offset: offset, length: part.length)
    }
    for condition in conditions where members(of: condition.predicate).contains(subject) {
      return source("--where", condition.text)
    }
    if let sort, request.sortDescriptors.contains(where: { $0.sourceRange?.offset == offset }) {
      return source("--sort", sort)
    }
    return conditions.count == 1 ? source("--where", conditions[0].text) : nil
  }

  /// The parts of a predicate's conjunction as they are printed once they are checked.
  private func members(of predicate: QueryPredicate) -> [String] {
    let checker = PredicateTypeChecker(entity: entity, resolve: resolve)
    guard let whole = try? predicate.substituting(request.variables),
      let checked = try? checker.check(whole)
    else { return [] }
    var members: [String] = []
    func flatten(_ predicate: QueryPredicate) {
      guard case .and(let parts) = predicate else { return members.append("\(predicate)") }
      for part in parts { flatten(part) }
    }
    flatten(checked)
    return members
  }
}
