/// An object identifier read from text, known by its URI until a store resolves it.
public struct UnresolvedObjectIdentifier: ObjectIdentifying {
  /// The URI as it was written.
  public let uriText: String

  /// Makes an identifier from the text of a URI, which is not checked.
  public init(uriText: String) {
    self.uriText = uriText
  }
}
