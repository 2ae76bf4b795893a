/// A truth value of three-valued logic.
public enum Ternary: UInt8, Hashable, Sendable {
  /// False.
  case no
  /// True.
  case yes
  /// Neither: a comparison met a missing value.
  case unknown

  /// True or false.
  public init(_ value: Bool) {
    self = value ? .yes : .no
  }

  /// True for `yes` alone.
  public var isTrue: Bool { self == .yes }
}

extension Ternary {
  /// Negation: unknown stays unknown.
  public static prefix func ! (operand: Ternary) -> Ternary {
    switch operand {
    case .no: .yes
    case .yes: .no
    case .unknown: .unknown
    }
  }
}
