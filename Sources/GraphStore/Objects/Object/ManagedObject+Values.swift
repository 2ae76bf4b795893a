import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ManagedObject {
  /// The value of an attribute, or of a to-one as a reference, read from a row.
  ///
  /// - Throws: `external-data-missing`, for an attribute with external storage alone.
  final func value(of property: PropertyLayout, in row: Row) throws -> Value {
    guard property.kind == .toOne else {
      guard property.kind.needsObject else { return try row.value(of: property) }
      return try externalValue(of: property, in: row)
    }
    return identifier(of: layout.relationships[property.relationship], in: row)
      .map { .object(ObjectReference($0)) } ?? .null
  }

  /// The identifier of the destination of a to-one in a row of the object. A new object, which is in no store
  /// yet, knows its destinations.
  final func identifier(of relationship: RelationshipLayout, in row: Row) -> ManagedObjectID? {
    guard let reference = row.reference(relationship.slot) else { return nil }
    if let known = knownDestination(relationship.ordinal), known.key == reference.key,
      known.layout.index == reference.entity
    {
      return known.objectID
    }
    let scope = reference.key < 0 ? context?.coordinator.temporaryScope : objectID.scope
    return ManagedObjectID(scope: scope ?? objectID.scope, entityIndex: reference.entity, key: reference.key)
  }

  /// Sets an attribute after checking that it can hold the value; constraints of the model are not checked.
  final func setAttribute(_ property: PropertyLayout, to value: Value) throws {
    guard property.kind != .none, property.kind != .undefined, property.relationship < 0 else {
      throw unsupported(property)
    }
    guard !property.isDerived else { throw readOnly(property) }
    if property.kind == .composite { return try setComposite(value, of: property, isTracked: true) }
    // Before the change begins: a value that is refused leaves the object as it was.
    let value = try storable(value, property)
    try reportingChanges {
      try prepareChange(of: property)
      replace(value, of: property)
    }
  }

  /// Writes a value as the attribute holds it over the former one in the object's own row.
  final func replace(_ value: Value, of property: PropertyLayout) {
    guard property.kind.usesTail, let block else { return write(value, to: property) }
    if property.kind == .transformable { extra?.forgetDecoded(property.number) }
    if property.kind == .external { return replaceExternalData(value, property, in: block) }
    block.replacing(Int(rowIndex), property.slot, property.kind) { write(value, to: property) }
  }

  /// Records that a property changes and copies the object's row so that it can be written.
  @inline(__always)
  final func prepareChange(of property: PropertyLayout) throws {
    if !beginChange(of: property.number) { try openForChange(of: property) }
  }

  /// Records that a property changes if the object's own row can be written; false where more is to be done
  /// first, as with the first change of an object that was saved.
  @inline(__always)
  final func beginChange(of number: Int) -> Bool {
    guard state.isOpenForChange, withHeldBlock({ $0.isWritable }) == true else { return false }
    extra?.touched.insert(number)
    countSetter()
    return true
  }

  @inline(__always)
  private func countSetter() {
    unsafe heldContext?._withUnsafeGuaranteedRef { $0.countSetter() }
  }

  @inline(never)
  private func openForChange(of property: PropertyLayout) throws {
    try checkChangeable()
    guard !state.isDisjoint(with: [.registered, .deletedElsewhere]) else { throw notMadeYet(property) }
    try realize()
    // A hook of the fault that has fired may have reset the context.
    try checkChangeable()
    recordChange(of: property)
    makeRowWritable()
  }

  /// The error of an initialiser that sets a property: it runs for fetched objects as well, whose values it
  /// would replace (OBJ-054).
  private final func notMadeYet(_ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(
      .changeProcessingDisabled, "\(entity.name).\(property.name) cannot be set by an initialiser.",
      remedy: "Set it in awakeFromInsert, which runs once in the life of an object.", entity: entity.name,
      property: property.name)
  }

  /// Whether the row can be written in place: it is this object's, its block has no other reader, and there
  /// is room.
  final var ownsWritableRow: Bool {
    guard state.contains(.ownsRow), let block else { return false }
    return block.isWritable
  }

  final func recordChange(of property: PropertyLayout) {
    if !state.isDisjoint(with: [.refaulting, .deletedElsewhere]) { return }
    if state.contains(.awakening), !state.contains(.inserted) {
      // Written if the object is saved for another reason (OBJ-066).
      ensureExtra().touched.insert(property.number)
      return
    }
    let staysUnchanged = state.isDisjoint(with: .changed) && isUndirtied(by: property)
    if staysUnchanged { enterEventUnchanged() } else { enterEvent() }
    if state.contains(.observed) { noteObservedChange(of: property) }
    if !state.contains(.inserted) {
      if !staysUnchanged, !state.contains(.updated) {
        keepUnchangedValues()
        changeState(adding: .updated)
        context?.recordChange(of: self)
      }
      ensureExtra().touched.insert(property.number)
    } else {
      extra?.touched.insert(property.number)
    }
    context?.countSetter()
    context?.validation.unstableChanges?.note(self, property)
  }

  /// Copies the object's row so that it can be written.
  ///
  /// - Parameter keepsFormer: Leaves the row that it has as it is: observers may ask for what that was.
  final func makeRowWritable(keepsFormer: Bool = false) {
    if keepsFormer || !ownsWritableRow { copyRowToWrite() }
  }

  final func copyRowToWrite() {
    guard let row = currentRow else { return }
    let working = context?.workingBlock(for: layout) ?? RowBlock(layout: layout, capacity: 1)
    let extra = ensureExtra()
    if extra.committed == nil, !state.contains(.inserted) { extra.committed = row }
    setRow(working, working.appendRow(copying: row))
    changeState(adding: .ownsRow)
  }

  // MARK: Storing

  /// A value as an attribute holds it; see ``PropertyLayout/storable(_:in:)``.
  final func storable(_ value: Value, _ property: PropertyLayout) throws -> Value {
    do throws(GraphStoreError) { return try property.storable(value, in: entity) } catch {
      var error = error
      error.objectID = objectID
      throw error
    }
  }

  /// Writes a value as the attribute holds it into the object's own row.
  final func write(_ value: Value, to property: PropertyLayout) {
    guard let block else { return }
    let (row, slot) = (Int(rowIndex), property.slot)
    switch value {
    case .int(let number) where property.kind == .decimal: block.setDecimal(row, slot, whole: number)
    case .int(let number): block.setWord(row, slot, UInt64(bitPattern: number))
    case .bool(let flag): block.setWord(row, slot, flag ? 1 : 0)
    case .double(let number): block.setWord(row, slot, number.bitPattern)
    case .date(let date): block.setWord(row, slot, date.timeIntervalSinceReferenceDate.bitPattern)
    case .string(var text): text.withUTF8 { unsafe block.setBytes(row, slot, $0) }
    case .uri(let url): block.setBytes(row, slot, Array(url.absoluteString.utf8))
    case .uuid(let uuid):
      unsafe withUnsafeBytes(of: uuid.uuid) { unsafe block.setBytes(row, slot, Array($0)) }
    case .data(let data) where property.kind == .external: block.setExternalData(data, row, slot)
    case .data(let data): block.setBytes(row, slot, Array(data))
    case .decimal(let number): block.setDecimal(row, slot, number)
    case .null, .object, .list, .dictionary: block.setNull(row, slot)
    }
  }

  // MARK: Errors

  final func readOnly(_ property: PropertyLayout) -> GraphStoreError {
    let isFetched = fetchedProperty(property) != nil
    return GraphStoreError(
      .readOnlyProperty,
      "\(entity.name).\(property.name) is \(isFetched ? "fetched" : "computed") and cannot be set.",
      remedy: isFetched
        ? "Change the objects that it finds." : "Set the properties it is derived from.",
      entity: entity.name, property: property.name, objectID: objectID)
  }

  final func unsupported(_ property: PropertyLayout) -> GraphStoreError {
    let reason =
      switch property.attribute?.type {
      case nil: "a fetched property has a list of objects, and no value of an attribute."
      default: "how Core Data stores them is not known."
      }
    return GraphStoreError(
      .notSupported, "Values of \(entity.name).\(property.name) cannot be read or set: \(reason)",
      remedy: "Leave it out, or keep the value in an attribute of another type.", entity: entity.name,
      property: property.name, objectID: objectID)
  }
}

extension UUID {
  package init(bytes: UnsafeBufferPointer<UInt8>) {
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &uuid) { unsafe $0.copyBytes(from: bytes.prefix(16)) }
    self.init(uuid: uuid)
  }
}

extension Value {
  /// The value as descriptions of objects show it.
  var shownText: String {
    switch self {
    case .null: "nil"
    case .bool(let flag): "\(flag)"
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text.debugDescription
    case .date(let date): "\(date)"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    case .data(let data): "\(data.count) bytes"
    case .dictionary(let members):
      "[\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shownText)" }.joined(separator: ", "))]"
    case .object, .list: "\(self)"
    }
  }
}
