/// A stored value that is not what it has to be; a function that throws it ends its statement as damage.
public struct SQLiteDamagedValue: Error {
  /// What stands there instead.
  public let message: String

  /// Describes a damaged value.
  public init(_ message: String) {
    self.message = message
  }
}
