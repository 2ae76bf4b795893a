/// Repair of a model of Xcode: what to leave out so that a problem is gone; there is none for problems in
/// names, entities and types.
struct XcodeRepair {
  /// The offset of the element to leave out, or whose attribute to leave out.
  let element: Int
  /// The attribute to leave out, or the word for the whole element.
  let attribute: String
  /// The finding.
  let note: XcodeModelConverter.LocatedProblem

  /// Keys of a property whose values can be left out alone.
  private static let values: Set<String> = [
    "default", "min", "max", "minLength", "maxLength", "pattern", "transformer", "externalStorage",
    "derivation", "inverse", "minCount", "maxCount",
  ]

  init?(_ problem: ModelProblem, in pass: XcodeModelConverter) {
    guard let origin = pass.origin(of: problem.path), Self.isDispensable(problem) else { return nil }
    element = origin.element
    attribute =
      Self.isOfWholeProperty(problem)
      ? XcodeModelConverter.wholeElement : origin.attribute ?? XcodeModelConverter.wholeElement
    let value = problem.value.map { " (\($0))" } ?? ""
    note = XcodeModelConverter.LocatedProblem(
      finding: ModelProblem.warning(
        "foreign-dropped", at: problem.path, message: "\(problem.message)\(value) It is left out."),
      offset: origin.offset)
  }

  /// Whether a property is named like one that is there already, or has a name that none can have.
  private static func isOfWholeProperty(_ problem: ModelProblem) -> Bool {
    [.propertyRedefined, .duplicateName, .reservedName].contains(problem.code)
  }

  /// Whether a model without the part that has the problem still describes the same objects.
  private static func isDispensable(_ problem: ModelProblem) -> Bool {
    let keys = problem.path.components.compactMap { component -> String? in
      if case .key(let name) = component { return name }
      return nil
    }
    switch keys.first {
    case "fetchRequests", "configurations": return true
    case "entities":
      switch keys.dropFirst().first {
      case "indexes", "uniquenessConstraints", "fetchedProperties": return true
      case "attributes", "relationships":
        if isOfWholeProperty(problem) { return true }
        if keys.last == "destination" { return true }
        return keys.last.map { values.contains($0) } ?? false
      default: return false
      }
    default: return false
    }
  }
}

extension XcodeModelConverter {
  /// The origin of the part of the definition at a path, or of the nearest part around it.
  func origin(of path: ModelPath) -> Origin? {
    var path = path
    while true {
      if let origin = origins[path] { return origin }
      if path.components.isEmpty { return nil }
      path.components.removeLast()
    }
  }
}
