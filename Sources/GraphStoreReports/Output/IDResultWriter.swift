import GraphStorePredicates

/// Writer of object ids, one a line; cells are left out, and rows that show no object too.
final class IDResultWriter: ResultWriter {
  private let output: OutputBuffer
  private let flushesEveryRow: Bool

  init(_ output: OutputBuffer, _ options: WriterOptions) {
    self.output = output
    flushesEveryRow = options.flushesEveryRow
  }

  func begin(columns: [OutputColumn]) {}

  func beginRow(_ entity: EntityLabel, key: Int64) {
    output.append(entity, key: key, isTemporary: false)
    output.append(byte: 0x0A)
  }

  func beginRow() {}
  func null() {}
  func bool(_ value: Bool) {}
  func integer(_ value: Int64) {}
  func double(_ value: Double) {}
  func float(_ value: Float) {}
  func decimal(_ value: DecimalNumeral) {}
  func text(_ utf8: UnsafeBufferPointer<UInt8>) {}
  func date(_ seconds: Double) {}
  func uuid(_ bytes: UnsafeBufferPointer<UInt8>) {}
  func uri(_ utf8: UnsafeBufferPointer<UInt8>) {}
  func data(_ bytes: UnsafeBufferPointer<UInt8>) {}
  func reference(_ entity: EntityLabel, key: Int64, isTemporary: Bool) {}
  func beginReferences() {}
  func endReferences() {}
  func json(_ utf8: UnsafeBufferPointer<UInt8>) {}

  func endRow() throws(OutputError) {
    if flushesEveryRow { try output.flush() } else if let failure = output.failure { throw failure }
  }

  func end() throws(OutputError) { try output.flush() }
}
