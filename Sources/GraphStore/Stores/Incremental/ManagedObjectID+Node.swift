extension ManagedObjectID {
  /// The identifier by which a store of a program's own type knows the record; nil for a temporary one.
  public var nodeIdentifier: NodeIdentifier? {
    isTemporaryID ? nil : NodeIdentifier(entity: entity.name, reference: scope.reference(of: key, entity))
  }
}
