import GraphStorePredicates

/// Setting attributes by number from the form in which a reader of records has them, without a ``Value`` of each.
///
/// Types and ranges are checked as by ``ManagedObject/setValue(_:forKey:)``; numbers are positions in
/// `entity.properties`.
extension ManagedObject {
  /// Sets an integer, Boolean (0 or 1), floating-point or decimal attribute to a whole number.
  package final func setInteger(_ value: Int64, ofProperty number: Int) throws {
    let property = layout.properties[number]
    switch property.kind {
    case .int64:
      try prepareChange(of: property)
      block?.setWord(Int(rowIndex), property.slot, UInt64(bitPattern: value))
    default: try setAttribute(property, to: .int(value))
    }
  }

  /// Sets a floating-point or decimal attribute; a negative zero is zero (OBJ-143).
  package final func setDouble(_ value: Double, ofProperty number: Int) throws {
    let property = layout.properties[number]
    guard property.kind == .double, !value.isNaN else {
      return try setAttribute(property, to: .double(value))
    }
    try prepareChange(of: property)
    block?.setWord(Int(rowIndex), property.slot, (value + 0).bitPattern)
  }

  /// Sets a string attribute to UTF-8 text that is known to be valid.
  package final func setText(_ utf8: UnsafeBufferPointer<UInt8>, ofProperty number: Int) throws {
    let property = layout.properties[number]
    guard property.kind == .string else {
      return try unsafe setAttribute(property, to: .string(String(decoding: utf8, as: UTF8.self)))
    }
    try prepareChange(of: property)
    guard let block else { return }
    let row = Int(rowIndex)
    block.replacing(row, property.slot, .string) { unsafe block.setBytes(row, property.slot, utf8) }
  }

  /// Sets an attribute of any kind.
  package final func setQueryValue(_ value: Value, ofProperty number: Int) throws {
    try setAttribute(layout.properties[number], to: value)
  }
}

extension ManagedObjectContext {
  /// Makes a new object of a concrete entity by its position in the model.
  package func insert(entityAt index: Int) throws -> ManagedObject {
    insert(try concreteLayout(coordinator.layout.entities[index]))
  }
}
