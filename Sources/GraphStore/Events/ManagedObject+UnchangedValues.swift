extension ManagedObject {
  /// Keeps what an object that counts as unchanged has set nevertheless, before its first unsaved change: taking that back
  /// leaves these values in place (CTX-134).
  ///
  /// Such values come from `awakeFromFetch`, primitive accessors and keys that do not dirty the object.
  @inline(__always)
  final func keepUnchangedValues() {
    if state.intersection([.ownsRow, .inserted, .updated, .deleted]) == .ownsRow { makeUnchangedValues() }
  }

  @inline(never)
  private final func makeUnchangedValues() {
    let extra = ensureExtra()
    if extra.unchanged != nil { return }
    extra.unchanged = EventSnapshot(self)
    // What changes from here on goes into another row.
    copyRowToWrite()
  }

  /// Sets the values that the object had as an unchanged one upon its committed ones.
  final func takeUp(_ unchanged: EventSnapshot) {
    guard let own = unchanged.row, currentRow != nil else { return }
    copyRowToWrite()
    let extra = ensureExtra()
    extra.touched = unchanged.touched
    extra.primitives = unchanged.primitives
    let written = extra.written
    for leaf in layout.leaves where !leaf.isPersistent || written.contains(leaf.number) {
      block?.copyValue(of: leaf, from: own, to: Int(rowIndex))
    }
    extra.decoded.merge(unchanged.undefined) { $1 }
  }

  /// Lets go of the own row of an object that is not changed any more, unless it has values that the committed row lacks.
  final func returnToCommittedRow() {
    guard let extra, state.isDisjoint(with: .changed) else { return }
    extra.unchanged = nil
    guard state.contains(.ownsRow), extra.written.isEmpty, let committed = extra.committed else { return }
    changeState(removing: .ownsRow)
    attach(committed)
    extra.committed = nil
  }

  /// Whether changes of some properties leave the object unchanged.
  final var hasUndirtyingKeys: Bool {
    hasOwnClass && !type(of: self).keysNotDirtyingContext.isEmpty
  }

  /// Whether a change of a property leaves the object unchanged (OBJ-104).
  final func isUndirtied(by property: PropertyLayout) -> Bool {
    guard !property.isPersistent, property.relationship < 0, hasOwnClass else {
      return false
    }
    return type(of: self).keysNotDirtyingContext.contains(property.name)
  }
}
