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

  /// What becomes of values of this type in another.
  func conversion(to other: AttributeType) -> Conversion {
    if self == other { return .exact }
    guard isNumber, other.isNumber else { return .impossible }
    if let range = integerRange {
      if let wider = other.integerRange {
        return wider.lowerBound <= range.lowerBound ? .exact : .conditional
      }
      switch other {
      case .decimal: return .exact
      case .double: return self == .int64 ? .conditional : .exact
      default: return self == .int16 ? .exact : .conditional
      }
    }
    return self == .float && other == .double ? .exact : .conditional
  }
}
