import GraphStore

/// An object of the entity OldTree.
class OldTree: AppleTree {}
