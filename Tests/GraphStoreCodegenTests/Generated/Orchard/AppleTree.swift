import GraphStore

/// An object of the entity Tree.
class AppleTree: Holding {}
