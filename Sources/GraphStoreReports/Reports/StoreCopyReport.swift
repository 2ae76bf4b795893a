import GraphStore

/// Report on a store that was copied: to a free path as a backup, or from one over the store.
package struct StoreCopyReport {
  private let result: StoreBackupResult
  private let source: String
  private let duration: Duration

  /// - Parameters:
  ///   - source: The path of the store that was copied.
  ///   - duration: How long it took.
  package init(_ result: StoreBackupResult, from source: String, _ duration: Duration) {
    (self.result, self.source, self.duration) = (result, source, duration)
  }

  /// What was done, for people.
  package var lines: [String] {
    let figures =
      "\(result.objectCount.counted("object")), \(result.byteCount.counted("byte")), \(duration.secondsText(decimals: 1)) s"
    let copied = "copied \(VisibleText.escape(source)) to \(VisibleText.escape(result.path))"
    return ["\(copied): \(figures); the copy is whole\(losses)"]
      + (result.replacedStore.map { ["the old store is \(VisibleText.escape($0))"] } ?? [])
  }

  /// What the store had lost before it was copied.
  private var losses: String {
    let count = result.missingFileCount
    return count == 0 ? "" : ", but for \(count.counted("file")) of large values that the store lacks itself"
  }

  /// `{"source":…,"path":…,"objects":…,"bytes":…,"missingFiles":…,"replaced":…,"seconds":…}`
  package func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.member("source", source)
    json.member("path", result.path)
    json.key("objects")
    json.value(result.objectCount)
    json.key("bytes")
    json.value(result.byteCount)
    json.key("missingFiles")
    json.value(result.missingFileCount)
    json.key("replaced")
    if let replaced = result.replacedStore { json.value(replaced) } else { json.null() }
    json.key("seconds")
    json.value(duration / .seconds(1))
    json.endObject()
    output.append(byte: 0x0A)
  }
}
