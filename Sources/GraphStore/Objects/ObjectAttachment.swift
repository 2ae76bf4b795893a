/// What an object has beside its row, in one word: most objects have nothing, or have been asked for one destination.
enum ObjectAttachment {
  case nothing
  /// The destination of the one to-one that was looked up.
  case destination(ManagedObject)
  case extra(ObjectExtra)

  /// Gives the destination away, if there is one.
  mutating func consumeDestination() -> ManagedObject? {
    guard case .destination(let object) = self else { return nil }
    self = .nothing
    return object
  }
}
