import Foundation

extension Row {
  /// The data of a binary attribute with external storage; those of a file are read now, by mapping it
  /// (STO-181).
  ///
  /// - Throws: `external-data-missing` where the file is not there; `store-corrupt` for bytes that are of no
  ///   such form.
  package func externalData(of property: PropertyLayout) throws -> Data {
    switch unsafe ExternalColumn(block.bytes(index, property.slot)) {
    case .inline(let bytes): return unsafe Data(bytes)
    case .file(let name):
      return try (block.externalData ?? ExternalDataTable()).data(
        name, of: "\(layout.entity.name).\(property.name)")
    case nil:
      throw GraphStoreError(
        .storeCorrupt,
        "\(layout.entity.name).\(property.name) has bytes that are neither data nor the name of a file.",
        remedy: "Check the store, and restore a backup.", entity: layout.entity.name,
        property: property.name)
    }
  }

  /// The size in bytes of the data of a binary attribute with external storage, without reading them; nil
  /// where they cannot be had.
  package func externalSize(of property: PropertyLayout) -> Int? {
    block.externalSize(block.word(index, property.slot))
  }
}

extension Row {
  /// Whether the values of a property are the same in both rows, and data with external storage too, wherever
  /// they are stored: ``isEqual(_:_:)`` takes those with different names for different.
  package func hasEqualValue(_ other: Row, _ property: PropertyLayout) -> Bool {
    if property.kind == .composite { return property.elements.allSatisfy { hasEqualValue(other, $0) } }
    return isEqual(other, property) || (property.kind == .external && hasEqualExternalData(other, property))
  }

  private func hasEqualExternalData(_ other: Row, _ property: PropertyLayout) -> Bool {
    guard hasValue(of: property), other.hasValue(of: property),
      let size = externalSize(of: property), size == other.externalSize(of: property),
      let data = try? externalData(of: property)
    else { return false }
    return (try? other.externalData(of: property)) == data
  }
}

extension GraphStoreError {
  /// The error of data whose file is missing or cannot be read.
  ///
  /// - Parameters:
  ///   - subject: The attribute, for people.
  ///   - isSource: Whether it is a file of the program's, from which a value was set.
  package static func missingExternalData(
    at path: String, of subject: String? = nil, isSource: Bool = false
  ) -> GraphStoreError {
    GraphStoreError(
      .externalDataMissing,
      "\(subject.map { "The data of \($0) are not there: " } ?? "")\(path) is missing"
        + (isSource
          ? ", cannot be read, or has changed since a value was set from it." : " or cannot be read."),
      remedy: isSource
        ? "Let the file stay as it is until the object is saved, or set the value again."
        : "Restore the folder beside the store; a check of the store lists all such values.")
  }
}
