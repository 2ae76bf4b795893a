import GraphStore

/// An object of the entity Department.
public class Department: ManagedObject {}
