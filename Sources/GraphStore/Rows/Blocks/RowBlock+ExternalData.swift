import Foundation

/// Values with external storage: small ones are stored in the tail, others in a table beside the block until
/// they are saved, and then in files.
extension RowBlock {
  /// Up to this many bytes a value that is set is stored in the tail, whatever a store does with it.
  package static let inlineLimit = StoreOptions.defaultExternalStorageThreshold

  /// Writes a value.
  package func setExternalData(_ data: Data, _ row: Int, _ slot: Int) {
    guard data.count > Self.inlineLimit else {
      return setBytes(row, slot, ExternalColumn.bytes(inline: data))
    }
    setExternalData(from: .memory(data), row, slot)
  }

  /// Writes a value by the location of its data.
  package func setExternalData(from source: ExternalDataSource, _ row: Int, _ slot: Int) {
    let data = ExternalData(ExternalDataName(), source)
    ownExternalData[data.name] = data
    setBytes(row, slot, ExternalColumn.bytes(file: data.name))
  }

  /// The size in bytes of the data that a word of the block refers to, without reading them; nil where they
  /// cannot be had.
  package func externalSize(_ word: UInt64) -> Int? {
    switch unsafe ExternalColumn(bytes(word)) {
    case .inline(let bytes): bytes.count
    case .file(let name): externalData?[name]?.size
    case nil: nil
    }
  }

  /// Discards the unsaved data of a value that is going to be replaced, unless another row of the block names
  /// them too.
  package func forgetExternalData(_ row: Int, _ slot: Int) {
    guard let externalData, !isNull(row, slot), let name = externalDataName(row, slot) else { return }
    let isShared = (0..<count).contains { other in
      other != row && !isNull(other, slot) && externalDataName(other, slot) == name
    }
    if !isShared { externalData[name] = nil }
  }

  /// Assigns names to the data of a row that are larger than a threshold, if they have none.
  package func nameExternalData(of row: Int, largerThan threshold: Int) {
    for property in layout.leaves where property.kind == .external && !isNull(row, property.slot) {
      guard case .inline(let bytes)? = unsafe ExternalColumn(self.bytes(row, property.slot)),
        bytes.count > threshold
      else { continue }
      let data = unsafe Data(bytes)
      replacing(row, property.slot, property.kind) {
        setExternalData(from: .memory(data), row, property.slot)
      }
    }
  }

  /// Takes a value of another block with the location of its data.
  package func copyExternalData(of property: PropertyLayout, from source: Row, to row: Int) {
    copyExternalData(in: property.slot, of: source, to: row, property.slot)
  }

  /// Takes a value of a row of any layout with the location of its data.
  package func copyExternalData(in sourceSlot: Int, of source: Row, to row: Int, _ slot: Int) {
    let bytes = unsafe source.block.bytes(source.index, sourceSlot)
    unsafe setBytes(row, slot, bytes)
    guard let name = externalDataName(row, slot) else { return }
    ownExternalData[name] = source.block.externalData?[name]
  }

  /// Reads into memory what values of a row name, so that no file is needed any more.
  ///
  /// - Throws: `external-data-missing`.
  package func loadExternalData(of row: Int) throws {
    for property in layout.leaves where property.kind == .external && !isNull(row, property.slot) {
      guard let name = externalDataName(row, property.slot) else { continue }
      let named = externalData?[name]
      if case .memory? = named?.source { continue }
      // A copy: what is mapped may be changed by others.
      let copy = ExternalDataSource.memory(
        Data(Array(try Row(block: self, index: row).externalData(of: property))))
      if case .file? = named?.source {
        named?.source = copy
      } else {
        ownExternalData[name] = ExternalData(name, copy)
      }
    }
  }

  private func externalDataName(_ row: Int, _ slot: Int) -> ExternalDataName? {
    if case .file(let name)? = unsafe ExternalColumn(bytes(row, slot)) { name } else { nil }
  }

  private var ownExternalData: ExternalDataTable {
    if let externalData { return externalData }
    let table = ExternalDataTable()
    externalData = table
    return table
  }
}
