import GraphStore

/// An object of the entity Garden.
class Garden: ManagedObject {}
