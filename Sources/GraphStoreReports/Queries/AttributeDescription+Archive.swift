import GraphStore

extension AttributeDescription {
  /// Whether the values of a transformable attribute are default archives, which everybody can read.
  package var isArchive: Bool { type == .transformable && TransformerName.isDefault(transformerName) }
}
