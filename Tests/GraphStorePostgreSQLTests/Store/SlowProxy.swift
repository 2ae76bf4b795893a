#if PostgreSQL
import Foundation
import Synchronization

/// Proxy before a server's socket that hands everything on a little later, and counts how often the client
/// has waited for the server.
final class SlowProxy: Sendable {
  private struct State {
    var isSending = false
    var turns = 0
    var descriptors: [Int32] = []
  }

  private let folder: String
  private let target: String
  private let delay: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - server: The folder of the server's socket.
  ///   - delay: How long what the client sends, or is sent, is on its way.
  init(server: String, delay: Duration) throws {
    folder = "/tmp/proxy-" + UUID().uuidString.prefix(8).lowercased()
    target = server + "/.s.PGSQL.5432"
    self.delay = delay
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let listener = try Self.socket(folder + "/.s.PGSQL.5432", bind)
    guard listen(listener, 64) == 0 else { throw CocoaError(.fileNoSuchFile) }
    state.withLock { $0.descriptors.append(listener) }
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let server = try? Self.socket(target, connect) else { return }
        state.withLock { $0.descriptors += [client, server] }
        pump(from: client, to: server, isFromClient: true)
        pump(from: server, to: client, isFromClient: false)
      }
    }
  }

  /// The address of a store behind the proxy.
  func address(of direct: String, server: String) -> String {
    direct.replacing("host=\(server)", with: "host=\(folder)")
  }

  /// How often the client has sent something after the server has.
  var turns: Int { state.withLock(\.turns) }

  func stop() {
    for descriptor in state.withLock(\.descriptors) { shutdown(descriptor, Int32(SHUT_RDWR)) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func socket(
    _ path: String, _ use: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
  ) throws -> Int32 {
    let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw CocoaError(.fileNoSuchFile) }
    return descriptor
  }

  /// Reads on one thread and writes on another, so that much takes hardly longer than little.
  private func pump(from source: Int32, to destination: Int32, isFromClient: Bool) {
    let waiting = Queue()
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(source, &buffer, buffer.count)
        if count > 0 { noteTurn(isFromClient) }
        waiting.put(count > 0 ? Array(buffer[..<count]) : nil, due: .now + delay)
        if count <= 0 { return }
      }
    }
    Thread.detachNewThread {
      while let bytes = waiting.take() {
        var start = 0
        while start < bytes.count {
          let count = bytes[start...].withUnsafeBytes {
            send(destination, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          guard count > 0 else { return }
          start += count
        }
      }
      shutdown(destination, Int32(SHUT_WR))
    }
  }

  private func noteTurn(_ isFromClient: Bool) {
    state.withLock { state in
      if isFromClient, !state.isSending { state.turns += 1 }
      state.isSending = isFromClient
    }
  }

  /// What is on its way, each part with the time at which it arrives.
  private final class Queue: @unchecked Sendable {
    private let condition = NSCondition()
    private var parts: [(bytes: [UInt8]?, due: ContinuousClock.Instant)] = []

    func put(_ bytes: [UInt8]?, due: ContinuousClock.Instant) {
      condition.withLock {
        parts.append((bytes, due))
        condition.signal()
      }
    }

    /// The next part once it is due; nil at the end.
    func take() -> [UInt8]? {
      let (bytes, due) = condition.withLock {
        while parts.isEmpty { condition.wait() }
        return parts.removeFirst()
      }
      let (seconds, attoseconds) = (due - .now).components
      let rest = Double(seconds) + Double(attoseconds) / 1e18
      if rest > 0 { Thread.sleep(forTimeInterval: rest) }
      return bytes
    }
  }
}
#endif
