import GraphStore

/// The top of the tree that is deleted.
final class RootObject: ManagedObject {}
/// The middle of the tree.
final class BranchObject: ManagedObject {}
/// The lowest tier of the tree.
final class LeafObject: ManagedObject {}
