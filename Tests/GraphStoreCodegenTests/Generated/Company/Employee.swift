import GraphStore

/// An object of the entity Employee.
public class Employee: Person {}
