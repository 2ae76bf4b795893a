/// A text or JSON value that an attribute cannot take.
public struct ValueConversionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of problem it is; the raw value is the stable code.
  public enum Code: String, Hashable, Sendable {
    /// It is no value of the attribute's type.
    case type = "value-type"
    /// It is a number beyond the range of the attribute's type.
    case outOfRange = "value-out-of-range"
  }

  /// What kind of problem it is.
  public var code: Code
  /// The offending value as text.
  public var value: String
  /// What is wrong, as a sentence.
  public var message: String
  /// What to write in its place, as a sentence, where that is not plain.
  public var hint: String?

  /// The number of the code: 136017 for a type, 136020 for a range.
  public var number: Int { code == .type ? 136_017 : 136_020 }

  /// The sentence.
  public var description: String { message }
}
