/// What became of the records of one flush that were not written.
package struct ImportBatch: Sendable {
  /// Records that cannot be imported.
  package var failures: [ImportFailure] = []
  /// Records that refer to what is not there yet, as the caller numbered them, where batches have to be whole.
  package var waiting: [Int] = []

  /// The same with the records that wait in the order of the input.
  func sorted() -> ImportBatch {
    var batch = self
    batch.waiting.sort()
    return batch
  }
}
