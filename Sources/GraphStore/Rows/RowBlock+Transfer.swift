extension RowBlock {
  /// Takes a value that is there from a row of any layout, where both slots are of one kind.
  func takeValue(
    of source: PropertyLayout, in sourceRow: Row, as target: PropertyLayout, inRow row: Int
  ) {
    assert(source.kind == target.kind, "\(source.name) and \(target.name) are of different kinds")
    let (block, slot) = (sourceRow.block, target.slot)
    let word = block.word(sourceRow.index, source.slot)
    switch source.kind {
    case .string, .uri, .uuid, .binary, .transformable: unsafe setBytes(row, slot, block.bytes(word))
    case .external: copyExternalData(in: source.slot, of: sourceRow, to: row, slot)
    case .decimal:
      if let whole = block.decimalWhole(word) {
        setDecimal(row, slot, whole: whole)
      } else if let double = block.decimalDouble(word) {
        setDecimal(row, slot, double: double)
      } else {
        setDecimal(row, slot, block.decimal(word))
      }
    default: setWord(row, slot, word)
    }
  }
}
