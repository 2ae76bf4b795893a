import GRDB

/// The tiers of the tree as structs that write their rows by name.
struct RootRecord: PersistableRecord {
  static let databaseTableName = "ZROOT"
  let key: Int64

  func encode(to container: inout PersistenceContainer) {
    container["Z_PK"] = key
    container["Z_ENT"] = 7
    container["Z_OPT"] = 1
  }
}

struct BranchRecord: PersistableRecord {
  static let databaseTableName = "ZBRANCH"
  let key: Int64
  let root: Int64

  func encode(to container: inout PersistenceContainer) {
    container["Z_PK"] = key
    container["Z_ENT"] = 1
    container["Z_OPT"] = 1
    container["ZROOT"] = root
  }
}

struct LeafRecord: PersistableRecord {
  static let databaseTableName = "ZLEAF"
  let key: Int64
  let branch: Int64

  func encode(to container: inout PersistenceContainer) {
    container["Z_PK"] = key
    container["Z_ENT"] = 3
    container["Z_OPT"] = 1
    container["ZBRANCH"] = branch
  }
}

extension DatabaseQueue {
  /// A root in a transaction of its own, then one for each branch with its leaves.
  func growTree(branches: Int64, leaves: Int64) throws {
    try write { try RootRecord(key: 1).insert($0) }
    for branch in 1...branches {
      try write { database in
        try BranchRecord(key: branch, root: 1).insert(database)
        for leaf in 1...leaves {
          try LeafRecord(key: (branch - 1) * leaves + leaf, branch: branch).insert(database)
        }
      }
    }
  }
}
