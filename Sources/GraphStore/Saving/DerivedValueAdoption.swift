/// Derived values as a save has left them, on their way into the objects of the saving context (OBJ-300).
///
/// The row cache has forgotten the rows that it had of their records.
struct DerivedValueAdoption {
  /// The values of one object.
  private struct Change {
    let object: ManagedObject
    let values: [DerivedValue]
  }

  private let changes: [Change]
  /// The objects that have other values than the save has left.
  let renewed: [ManagedObject]
  private let context: ManagedObjectContext

  /// Nil where no object of the context is concerned.
  init?(_ values: [DerivedValue], in context: ManagedObjectContext, _ mount: Mount) {
    guard !values.isEmpty else { return nil }
    self.context = context
    let layouts = context.coordinator.layout.entities
    changes = Dictionary(grouping: values) { RecordKey(root: $0.root, key: $0.key) }.compactMap {
      record, values in
      let found = context.registry.object(layouts[record.root], key: record.key, store: mount.index)
      return found.flatMap { $0.currentRow == nil ? nil : Change(object: $0, values: values) }
    }
    renewed =
      context.deliversChanges
      ? changes.filter { !$0.object.has($0.values) }.map(\.object).sorted { $0.key < $1.key } : []
  }

  /// Writes the values into the rows of objects that the save has changed, before others see them.
  func set(in written: [ManagedObject]) {
    let written = Set(written.map(ObjectIdentifier.init))
    for change in changes where written.contains(ObjectIdentifier(change.object)) {
      change.object.set(change.values)
    }
  }

  /// Attaches rows with the values to other objects. Values that an object has changed, or written by
  /// primitive accessors, stay its own.
  func adopt() {
    var renewed: [RowBlock] = []
    for change in changes {
      let (object, values) = (change.object, change.values)
      guard let row = object.currentRow, !object.has(values) else { continue }
      let committed = object.state.contains(.ownsRow) ? object.extra?.committed : row
      if let committed {
        let block = context.workingBlock(for: object.layout)
        let copy = Row(block: block, index: block.appendRow(copying: committed))
        for value in values { copy.set(value) }
        renewed.append(block)
        if object.state.contains(.ownsRow) { object.extra?.committed = copy } else { object.attach(copy) }
      }
      if object.state.contains(.ownsRow) { object.set(values) }
      for value in values { object.extra?.forgetDecoded(value.attribute.number) }
    }
    context.retireWorkingBlocks()
    for block in renewed { block.isShared = true }
  }
}

extension ManagedObject {
  /// Whether the object's row has all of some derived values.
  fileprivate final func has(_ values: [DerivedValue]) -> Bool {
    currentRow.map { row in values.allSatisfy { row.has($0) } } ?? true
  }

  /// Writes derived values into the object's own row; one that others may be reading is copied first.
  fileprivate final func set(_ values: [DerivedValue]) {
    guard let row = currentRow else { return }
    if !row.block.isWritable {
      let block = RowBlock(layout: layout, capacity: 1)
      setRow(block, block.appendRow(copying: row))
    }
    for value in values {
      currentRow?.set(value)
      extra?.forgetDecoded(value.attribute.number)
    }
  }
}

extension Row {
  fileprivate func set(_ value: DerivedValue) {
    guard let property = layout.property(named: value.attribute.name), property.slot >= 0 else { return }
    block.replacing(index, property.slot, property.kind) {
      block.setValue(value.value, of: property, inRow: index)
    }
  }

  fileprivate func has(_ value: DerivedValue) -> Bool {
    guard let property = layout.property(named: value.attribute.name) else { return true }
    return (try? self.value(of: property)) == value.value
  }
}
