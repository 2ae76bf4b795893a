extension MappingModel {
  /// The mapping that is inferred from two models alone, with everything spelt out.
  ///
  /// A migration along it makes the same store as one without a mapping.
  ///
  /// - Throws: ``InferenceError`` with every reason why there is none, number 134190.
  public static func inferredMappingModel(
    forSourceModel source: ManagedObjectModel, destinationModel destination: ManagedObjectModel
  ) throws -> MappingModel {
    _ = try CheckedMapping(mapping: nil, from: source, to: destination)
    return draft(from: source, to: destination)
  }

  /// Note on a decision left open in a mapping, from its user info.
  public struct Note: Hashable, Sendable {
    /// The entity of the destination, or its property.
    public let path: String
    /// The text of the note: what cannot be inferred, and the remedy.
    public let text: String
  }

  /// The notes in the user infos of entity mappings and property mappings, in order.
  public var notes: [Note] {
    entityMappings.flatMap { mapping in
      let entity = mapping.destinationEntityName ?? mapping.name
      let properties = (mapping.attributeMappings + mapping.relationshipMappings).map {
        ("\(entity).\($0.name)", $0.userInfo)
      }
      return ([(entity, mapping.userInfo)] + properties).compactMap { path, info in
        if case .string(let text)? = info["note"] { Note(path: path, text: text) } else { nil }
      }
    }
  }

  /// A mapping to be completed by hand: everything spelt out as it is inferred, and nothing with a `note` in
  /// the user info for each part that cannot be.
  ///
  /// - Parameters:
  ///   - source: The model that is left.
  ///   - destination: The model that is reached.
  public static func draft(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> MappingModel {
    var writer = MappingDraft(from: source, to: destination)
    return MappingModel(entityMappings: writer.makeEntityMappings())
  }
}
