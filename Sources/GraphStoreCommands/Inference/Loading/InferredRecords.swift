import Foundation
import GraphStore
import GraphStoreReports

/// Records of an inference in a private file, from which they are imported; the file goes with this object.
final class InferredRecords {
  let path: String
  private let folder: String

  init(_ inference: ModelInference) throws {
    var template = Array((NSTemporaryDirectory() + "/graphstore.XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw OutputError(errno: errno, path: NSTemporaryDirectory(), creating: true)
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/records.ndjson"
    ProcessSignals.watch()
    UnfinishedFiles.add(folder)
    UnfinishedFiles.add(path)
    let file = try StreamedFile(path: path)
    try inference.writeRecords(to: file.output)
    try file.finish()
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
    UnfinishedFiles.remove(path)
    UnfinishedFiles.remove(folder)
  }
}
