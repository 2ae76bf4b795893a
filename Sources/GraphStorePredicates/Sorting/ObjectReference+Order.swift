import Foundation

extension ObjectReference {
  /// The order of two objects by their identifiers, for sorting; those of different types by their URIs.
  func order(to other: ObjectReference) -> ComparisonResult {
    if self == other { return .orderedSame }
    return identifier.comes(before: other.identifier) ? .orderedAscending : .orderedDescending
  }
}

extension ObjectIdentifying {
  fileprivate func comes(before other: any ObjectIdentifying) -> Bool {
    if let other = other as? Self { return precedes(other) }
    return TextFolding.none.order(uriText, other.uriText) < 0
  }
}
