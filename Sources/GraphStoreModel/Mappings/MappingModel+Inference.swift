extension MappingModel {
  /// The mapping that is inferred from two models alone, with everything spelt out (MIG-071).
  ///
  /// A migration along it gives the same store as one without a mapping.
  ///
  /// - Throws: ``InferenceError`` with every reason why there is none, number 134190.
  public static func inferredMappingModel(
    forSourceModel source: ManagedObjectModel, destinationModel destination: ManagedObjectModel
  ) throws -> MappingModel {
    _ = try CheckedMapping(mapping: nil, from: source, to: destination)
    return draft(from: source, to: destination)
  }

  /// A mapping to be completed by hand: everything spelt out as it is inferred, and nothing with a `note` in the user info
  /// for each part that cannot be (MIG-144).
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
