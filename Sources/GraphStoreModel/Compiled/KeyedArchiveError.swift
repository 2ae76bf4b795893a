/// What keeps an archive, or a part of it, from being understood.
struct KeyedArchiveError: Error {
  /// How far the damage reaches.
  enum Extent {
    /// Nothing of the archive can be trusted.
    case archive
    /// One part has a meaning that is not known here; the rest may be read.
    case part
  }

  let extent: Extent
  /// A sentence.
  let message: String

  static func damaged(_ message: String) -> KeyedArchiveError {
    KeyedArchiveError(extent: .archive, message: message)
  }

  static func unknown(_ message: String) -> KeyedArchiveError {
    KeyedArchiveError(extent: .part, message: message)
  }
}
