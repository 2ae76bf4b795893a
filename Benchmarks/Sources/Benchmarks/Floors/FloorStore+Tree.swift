import CFloors

extension FloorStore {
  func growTree(branches: Int64, leaves: Int64) throws {
    try check(floor_grow_tree(handle, branches, leaves))
  }
}
