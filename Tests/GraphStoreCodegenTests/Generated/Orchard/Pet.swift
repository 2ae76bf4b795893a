import GraphStore

/// An object of the entities Pet, Cat, Dog.
class Pet: ManagedObject {}
