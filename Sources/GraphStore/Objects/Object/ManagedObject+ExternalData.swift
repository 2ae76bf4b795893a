import Foundation
import GraphStorePredicates

/// Binary attributes with external storage: large values are stored in files beside the store, and are read
/// on demand.
extension ManagedObject {
  /// Sets a binary attribute to the content of a file.
  ///
  /// The data of an attribute with external storage are not read into memory: a save copies the file, however
  /// large it is. It has to stay as it is until then; where it has changed the save throws. For any other
  /// attribute the file is read now.
  ///
  /// - Parameters:
  ///   - url: A regular file.
  ///   - key: The name of a binary attribute.
  /// - Throws: `external-data-missing` for a file that cannot be read; `value-too-large` for one of
  ///   1,000,000,000 bytes or more where the attribute has no external storage; `unknown-key`, `value-type`,
  ///   `read-only-property`.
  public final func setData(contentsOf url: URL, forKey key: String) throws {
    checkQueue()
    let property = try property(forKey: key)
    let path = url.path
    guard let stamp = FileStamp(path), RegularFile.isReadable(path) else {
      throw GraphStoreError.missingExternalData(at: path, isSource: true)
    }
    guard property.kind == .external || stamp.size < GraphStoreError.valueSizeLimit else {
      throw GraphStoreError.valueTooLarge(size: stamp.size, of: property.name, in: self)
    }
    guard property.kind == .external, stamp.size > RowBlock.inlineLimit else {
      guard let data = RegularFile.mapped(path) else {
        throw GraphStoreError.missingExternalData(at: path, isSource: true)
      }
      return try setAttribute(property, to: .data(Data(Array(data))))
    }
    try reportingChanges {
      try prepareChange(of: property)
      guard let block else { return }
      block.replacing(Int(rowIndex), property.slot, property.kind) {
        block.forgetExternalData(Int(rowIndex), property.slot)
        block.setExternalData(from: .file(path: path, stamp), Int(rowIndex), property.slot)
      }
    }
  }

  /// Writes a value over the former one; equal data stay where they are, which is no change.
  final func replaceExternalData(_ value: Value, _ property: PropertyLayout, in block: RowBlock) {
    let row = Row(block: block, index: Int(rowIndex))
    if case .data(let data) = value, !block.isNull(row.index, property.slot),
      row.externalSize(of: property) == data.count, (try? row.externalData(of: property)) == data
    {
      return
    }
    block.replacing(row.index, property.slot, property.kind) {
      block.forgetExternalData(row.index, property.slot)
      write(value, to: property)
    }
  }

  /// The present data of an attribute whose file is gone, since another process has replaced them after the
  /// row was read; nil where that is not so.
  private final func replacedData(_ property: PropertyLayout) -> Value? {
    guard let context, key > 0, extra?.written.contains(property.number) != true else { return nil }
    // A writer may replace them once more meanwhile.
    for _ in 0..<8 {
      guard let stored = try? context.storedRow(of: self) else { return nil }
      if stored.block.isNull(stored.index, property.slot) { return .null }
      if let data = try? stored.externalData(of: property) { return .data(data) }
    }
    return nil
  }

  /// The value of an attribute that may be stored in files: errors name the object, and data that another
  /// process has replaced since the row was read are the present ones.
  ///
  /// - Throws: `external-data-missing`.
  final func externalValue(of property: PropertyLayout, in row: Row) throws -> Value {
    do {
      return try row.value(of: property)
    } catch var error as GraphStoreError where error.objectID == nil {
      if property.kind == .external, let data = replacedData(property) { return data }
      error.message = "\(objectID.shortForm): \(error.message)"
      error.objectID = objectID
      error.entity = entity.name
      error.property = property.name
      throw error
    }
  }
}

extension GraphStoreError {
  /// Bytes that no text and no data in a store's file can have: SQLite's limit.
  package static let valueSizeLimit = 1_000_000_000

  /// The error for a file whose content no value can hold.
  static func valueTooLarge(size: Int, of property: String, in object: ManagedObject) -> Self {
    Self(
      .valueTooLarge,
      "\(object.objectID.shortForm).\(property) was given \(size.grouped) bytes; a value has to have fewer than "
        + "\(valueSizeLimit.grouped).",
      remedy: "Keep the data in a file of their own, or give the attribute external storage.",
      entity: object.entity.name, property: property, objectID: object.objectID)
  }
}
