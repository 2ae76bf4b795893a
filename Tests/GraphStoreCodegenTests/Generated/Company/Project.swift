import GraphStore

/// An object of the entity Project.
public class Project: ManagedObject {}
