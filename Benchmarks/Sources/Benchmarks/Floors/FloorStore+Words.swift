import CFloors

extension FloorStore {
  func fillWords(_ rows: Int64, ascii: Bool) throws {
    try check(floor_fill_words(handle, rows, ascii ? 1 : 0))
  }

  /// How often a function that does nothing was called, once for each word.
  func callWords() throws -> Int64 { try answer(floor_call_words).count }
}
