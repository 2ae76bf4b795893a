import GraphStorePredicates

extension Row {
  /// What a comparison of a property with a constant yields, without a value of the property being made; nil where that
  /// cannot be told.
  func truth(of test: FieldTest, _ property: PropertyLayout) -> Ternary? {
    guard property.slot >= 0 else { return nil }
    switch property.kind {
    case .toOne, .toMany, .none, .uri, .uuid, .binary, .transformable, .composite, .undefined: return nil
    default: break
    }
    guard !block.isNull(index, property.slot) else { return test.missing }
    let word = block.word(index, property.slot)
    switch property.kind {
    case .int16, .int32, .int64: return test.truth(ofInteger: Int64(bitPattern: word))
    case .boolean: return test.truth(ofInteger: word == 0 ? 0 : 1)
    case .double, .float: return test.truth(ofDouble: Double(bitPattern: word))
    case .date: return test.truth(ofDate: Double(bitPattern: word))
    case .string: return unsafe test.truth(ofText: block.bytes(word))
    case .external: return block.externalSize(word).flatMap(test.truth(ofDataCount:))
    case .decimal:
      if let whole = block.decimalWhole(word) { return test.truth(ofWholeDecimal: whole) }
      return block.decimalDouble(word).flatMap { test.truth(ofDecimalNearest: $0) }
    default: return nil
    }
  }
}
