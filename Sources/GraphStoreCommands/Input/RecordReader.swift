/// Reads records one after the other.
///
/// Memory stays bounded by the longest record. A reader belongs to one thread.
protocol RecordReader: AnyObject {
  /// The next record, or nil at the end.
  ///
  /// The record is the same object every time and valid until the next call. After an error that is recoverable the next
  /// call goes on with the record behind the faulty one; `record` then still shows the source of the faulty one.
  func next() throws(InputError) -> Record?
  /// The record read last.
  var record: Record { get }
  /// Bytes of input used up so far, to show progress by.
  var bytesConsumed: Int { get }
}
