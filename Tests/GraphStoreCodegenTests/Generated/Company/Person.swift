import GraphStore

/// An object of the entity Person.
public class Person: ManagedObject {}
