import CGraphStoreShims
import Foundation
import GraphStoreReports

/// Atomically replaced folder: it is filled beside its place and takes it when it is whole.
///
/// What was there before goes away only afterwards. A folder that is never committed is removed.
final class AtomicFolder {
  private let target: String
  private let temporary: String
  private var isFinished = false

  /// Begins to fill a folder.
  init(path: String) throws(OutputError) {
    // A symbolic link keeps pointing to where it did.
    target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    ProcessSignals.watch()
    let url = URL(fileURLWithPath: target)
    let name = ".\(url.lastPathComponent.prefix(50)).XXXXXX"
    var template = Array(url.deletingLastPathComponent().appendingPathComponent(name).path.utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw OutputError(errno: errno, path: path, creating: true)
    }
    temporary = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    UnfinishedFiles.add(temporary)
    let mask = umask(0o077)
    umask(mask)
    unsafe chmod(temporary, 0o777 & ~mask)
  }

  deinit {
    discard()
  }

  /// Writes a file in the folder, and the folders on the way to it.
  func write(_ bytes: [UInt8], to path: String) throws(OutputError) {
    let file = temporary + "/" + path
    do {
      let folder = URL(fileURLWithPath: file).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw OutputError(.cannotCreate, "cannot create \"\(target)/\(path)\": \(error.localizedDescription)")
    }
    let made = try AtomicFile(path: file)
    made.output.append(bytes)
    try made.commit()
  }

  /// Makes the folder durable and gives it its name.
  func commit() throws(OutputError) {
    guard !isFinished else { return }
    let isThere = unsafe access(target, F_OK) == 0
    let result =
      unsafe isThere
      ? gs_exchange(temporary, target)
      : rename(temporary, target)
    guard result == 0 else {
      let number = errno
      discard()
      throw OutputError(errno: number, path: target)
    }
    let parent = unsafe open(
      URL(fileURLWithPath: target).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    if parent >= 0 {
      fsync(parent)
      close(parent)
    }
    // After the exchange the temporary name holds what was there before.
    discard()
  }

  /// Removes what was written; what was there before stays as it was.
  func discard() {
    guard !isFinished else { return }
    isFinished = true
    try? FileManager.default.removeItem(atPath: temporary)
    UnfinishedFiles.remove(temporary)
  }
}
