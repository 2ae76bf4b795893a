import GraphStore

/// An object of the entity Holding.
class Holding: ManagedObject {}
