import CFloors
import Foundation

/// Another contender, whose work is also watched for how far it raises the resident memory of this process.
final class PeakContender: Contender {
  private let watched: any Contender
  private(set) var peakBytes: Int?

  init(_ watched: any Contender) { self.watched = watched }

  var name: String { watched.name }
  var side: Side { watched.side }

  func prepare() throws {
    try watched.prepare()
    floor_trim_heap()
  }

  func work() throws {
    // Writing 5 sets the peak back to what is resident now.
    let reset = FileHandle(forWritingAtPath: "/proc/self/clear_refs")
    try reset?.write(contentsOf: Data("5".utf8))
    let before = try Self.bytes("VmRSS")
    try watched.work()
    peakBytes = max(0, try Self.bytes("VmHWM") - before)
  }

  func answer() throws -> Answer { try watched.answer() }

  private static func bytes(_ field: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(field + ":") }),
      let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
    else {
      throw BenchmarkError("/proc/self/status has no \(field)")
    }
    return kilobytes * 1024
  }
}
