extension ManagedObject {
  /// Checks that flags, row, attachment and position in the registry agree.
  final func checkInvariants() throws(InvariantViolation) {
    try check(state.contradiction == nil, state.contradiction ?? "")
    try checkRow()
    try checkExtra()
    guard state.isDisjoint(with: [.detached, .invalidated]) else { return }
    try check(
      !state.isDisjoint(with: [.listed, .deletedElsewhere]) || state.isDisjoint(with: .changed),
      "it changed and is not listed")
    let registry = unsafe heldRegistry.takeUnretainedValue()
    try check(
      !state.contains(.registered) || registry.object(layout, key: key, store: storeIndex) === self,
      "the registry has another object in its place")
  }

  private func checkRow() throws(InvariantViolation) {
    guard let block else {
      try unsafe check(
        values == nil && readableIdentity == EntityLayout.noIdentity, "it reads a row that it does not have")
      return try check(!state.contains(.ownsRow), "it owns a row that it does not have")
    }
    try check(block.layout === layout, "its row is of \(block.layout.entity.name)")
    try check(rowIndex >= 0 && rowIndex < block.count, "it has row \(rowIndex) of \(block.count)")
    let isReadable = !state.contains(.fault)
    try unsafe check(
      values == (isReadable ? block.values(Int(rowIndex)) : nil), "it reads another row than its own")
    try check(
      readableIdentity == (isReadable && !isGuarded ? layout.identity : EntityLayout.noIdentity),
      "typed keys take it for another entity's")
    try block.checkInvariants()
  }

  private func checkExtra() throws(InvariantViolation) {
    if case .destination = attachment {
      return try check(
        attachedRelationship >= 0 && Int(attachedRelationship) < layout.relationships.count,
        "its attached destination is of relationship \(attachedRelationship)")
    }
    guard let extra else { return }
    try check(
      extra.relationships.isEmpty || extra.relationships.count == layout.relationships.count,
      "it has \(extra.relationships.count) of \(layout.relationships.count) relationships")
    guard let committed = extra.committed else {
      return try check(
        !state.contains(.ownsRow) || state.contains(.inserted),
        "its row is its own, and the committed one is lost")
    }
    try check(committed.layout === layout, "its committed row is of \(committed.layout.entity.name)")
    try check(!state.contains(.inserted), "it was never saved and has a committed row")
  }

  private func check(_ holds: Bool, _ what: @autoclosure () -> String) throws(InvariantViolation) {
    try InvariantViolation.check(holds, "\(objectID.shortForm): \(what())")
  }
}
