/// What happens to the objects at the other end when an object is deleted; the raw value is the word of model files.
public enum DeleteRule: String, CaseIterable, Hashable, Sendable {
  /// The other end forgets the deleted object.
  case nullify
  /// The objects at the other end are deleted too.
  case cascade
  /// The save fails while there are objects at the other end.
  case deny
  /// Nothing; the other end is left as it is.
  case noAction
}
