extension ModelPairing {
  /// The element of an old composite that an element of a new one continues.
  ///
  /// - Parameters:
  ///   - path: The elements of the new composite on the way, the element itself last.
  ///   - new: The new composite.
  ///   - old: The old composite that it continues.
  /// - Returns: The elements of the old composite on the way; nil for an element that was added.
  package func source(
    ofElements path: [AttributeDescription], of new: AttributeDescription, in old: AttributeDescription
  ) -> [AttributeDescription]? {
    var (new, old) = (new, old)
    var found: [AttributeDescription] = []
    for element in path {
      guard let position = new.elements.firstIndex(where: { $0 === element }),
        let origin = Self.elements(of: old, new).sources[position]
      else { return nil }
      (new, old) = (element, old.elements[origin])
      found.append(old)
    }
    return found
  }

  private static func elements(of old: AttributeDescription, _ new: AttributeDescription) -> NamePairing {
    NamePairing(
      old: old.elements.map { NamePairing.Item(name: $0.name, identifier: $0.renamingIdentifier) },
      new: new.elements.map { NamePairing.Item(name: $0.name, identifier: $0.renamingIdentifier) })
  }
}
