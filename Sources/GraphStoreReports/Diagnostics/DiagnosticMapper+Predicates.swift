import GraphStore

extension DiagnosticMapper {
  static func diagnostic(_ located: LocatedPredicateError) -> Diagnostic {
    let error = located.error
    var message = clause(error.message.replacing("The text cannot be read on: ", with: ""))
    var hints = error.hint.map { [hint($0)] } ?? []
    if error.code == .unsupportedSort,
      let name = error.message.split(separator: "selector: ").dropFirst().first
    {
      message = "a sort key cannot end in :\(name)"
      hints = [
        "it ends in :asc or :desc, in :nulls-first or :nulls-last, and for texts in :caseInsensitive, :localized, "
          + ":localizedCaseInsensitive or :localizedStandard"
      ]
    }
    let owner = unknownKeyOwner(located)
    if let (owner, key) = owner {
      message = "\(owner.name) has no attribute or relationship \"\(key)\""
      let others = owner.properties.map(\.name).filter { !error.suggestions.contains($0) }
      hints.append(known(others, after: error.suggestions))
    }
    var suggestions = error.suggestions
    if let hint = PredicateSlip.hint(for: located) {
      hints = [hint]
      suggestions = []
    }
    if let name = located.unboundVariable {
      // Where no entity gives types the value is JSON.
      hints = [
        "give it a value with --var \(name)=\(located.label == LocatedPredicateError.unnamedLabel ? "JSON" : "VALUE")"
      ]
    }
    return Diagnostic(
      code: error.code.rawValue, message: message, source: located.place,
      hints: hints, suggestions: suggestions, entity: owner?.0.name ?? located.entity?.name,
      property: owner?.1,
      exitCode: [.arithmeticOverflow, .limit].contains(error.code) ? .dataError : .usage)
  }

  /// The entity at the end of the known part of a key path, and the key that it does not have.
  private static func unknownKeyOwner(_ located: LocatedPredicateError) -> (EntityDescription, String)? {
    guard located.error.code == .unknownKey, var entity = located.entity, let subject = located.error.subject
    else { return nil }
    for step in subject.split(separator: ".") {
      guard let property = entity.property(named: String(step)) else {
        return step.hasPrefix("@") || step.hasPrefix("$") ? nil : (entity, String(step))
      }
      guard let relationship = property as? RelationshipDescription else { return nil }
      entity = relationship.destination
    }
    return nil
  }
}

/// Error in a predicate, sort keys or key paths of the command line, with the text that it is in.
package struct LocatedPredicateError: Error {
  /// What a predicate is called that no option gives.
  package static let unnamedLabel = "expression"

  var error: QueryPredicateError
  /// The option the text was given by.
  package var label: String
  var text: String
  /// The entity that the keys belong to.
  var entity: EntityDescription?

  /// An error in a text that an option gives.
  package init(error: QueryPredicateError, label: String, text: String, entity: EntityDescription? = nil) {
    self.error = error
    self.label = label
    self.text = text
    self.entity = entity
  }

  /// The variable that has no value, if that is the problem.
  var unboundVariable: String? {
    guard error.code == .unboundVariable, let dollar = error.message.firstIndex(of: "$") else { return nil }
    let name = error.message[error.message.index(after: dollar)...].prefix {
      $0.isLetter || $0.isNumber || $0 == "_"
    }
    return name.isEmpty ? nil : String(name)
  }

  /// Where the problem lies in the text.
  var place: Diagnostic.Source? {
    guard let offset = error.offset else { return nil }
    // The sign of a sort key belongs to its place, but is no part of what is wrong.
    let isSigned = label == "--sort" && text.utf8.dropFirst(offset).first == UInt8(ascii: "-")
    let shift = isSigned && error.length > 1 ? 1 : 0
    return Diagnostic.Source(label: label, text: text, offset: offset + shift, length: error.length - shift)
  }
}
