extension AttributeType {
  /// What becomes of values when an attribute gets another type.
  enum Conversion {
    /// Every value has an equal one in the other type.
    case exact
    /// Some values may not have one.
    case conditional
    /// Values are not converted at all.
    case impossible
  }

  /// What becomes of values of this type in another: numbers convert into numbers, and booleans are the numbers 0 and 1.
  func conversion(to other: AttributeType) -> Conversion {
    if self == other { return .exact }
    guard isNumeric, other.isNumeric else { return .impossible }
    if self == .boolean { return .exact }
    if let range = integerRange {
      if let wider = other.integerRange {
        return wider.lowerBound <= range.lowerBound ? .exact : .conditional
      }
      switch other {
      case .decimal: return .exact
      case .double: return self == .int64 ? .conditional : .exact
      case .float: return self == .int16 ? .exact : .conditional
      default: return .conditional
      }
    }
    return self == .float && other == .double ? .exact : .conditional
  }

  private var isNumeric: Bool { isNumber || self == .boolean }
}
