#if PostgreSQL
import Foundation
import Synchronization

/// Proxy before a server's socket that cuts a connection at one of the messages that its client sends.
final class CuttingProxy: Sendable {
  /// Where a connection is cut: instead of sending a message on, or with the message sent and no answer to it.
  enum Cut {
    case before(Int)
    case after(Int)
  }

  private struct State {
    var cut: Cut?
    /// Messages since the cut was set.
    var messages = 0
    var hasCut = false
    /// Whether new connections are closed at once after the cut.
    var refusesThen = false
    var isEnded = false
  }

  private let state = Mutex(State())
  private let server: String
  private let folder: String
  private let listener: Int32

  /// - Parameter address: The address of a database on a socket: `postgresql://user@/name?host=FOLDER&…`.
  init(before address: String) throws {
    let host = try Self.host(of: address)
    server = "\(host)/.s.PGSQL.5432"
    folder = "/tmp/gs-proxy-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var place = Self.place("\(folder)/.s.PGSQL.5432")
    let isBound = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard isBound == 0, listen(listener, 64) == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
    chmod("\(folder)/.s.PGSQL.5432", 0o777)
    Thread.detachNewThread { [listener, weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        self.serve(client)
      }
    }
  }

  deinit { end() }

  func end() {
    let isFirst = state.withLock { state in
      defer { state.isEnded = true }
      return !state.isEnded
    }
    guard isFirst else { return }
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// An address through the proxy.
  func address(of address: String) throws -> String {
    address.replacing("host=\(try Self.host(of: address))", with: "host=\(folder)")
  }

  private static func host(of address: String) throws -> Substring {
    guard let start = address.firstRange(of: "host=")?.upperBound else { throw POSIXError(.EINVAL) }
    return address[start...].prefix { $0 != "&" }
  }

  // MARK: Cuts

  /// Cuts the connection that sends the message of a number, from now on.
  func set(_ cut: Cut?, refusesThen: Bool = false) {
    state.withLock {
      $0.cut = cut
      $0.messages = 0
      $0.hasCut = false
      $0.refusesThen = refusesThen
    }
  }

  /// Lets everything pass again; says whether something was cut, and how many messages there were.
  @discardableResult
  func stop() -> (hasCut: Bool, messages: Int) {
    state.withLock { state in
      state.cut = nil
      state.refusesThen = false
      return (state.hasCut, state.messages)
    }
  }

  private enum Verdict {
    case pass
    case cutBefore
    case cutAfter
  }

  private func verdict() -> Verdict {
    state.withLock { state in
      state.messages += 1
      guard !state.hasCut, let cut = state.cut else { return .pass }
      switch cut {
      case .before(state.messages):
        state.hasCut = true
        return .cutBefore
      case .after(state.messages):
        state.hasCut = true
        return .cutAfter
      default: return .pass
      }
    }
  }

  // MARK: Relaying

  private static func place(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8) + [0]) }
    return address
  }

  private func serve(_ client: Int32) {
    let isRefused = state.withLock { $0.refusesThen && $0.hasCut }
    let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var place = Self.place(server)
    let isConnected = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard !isRefused, isConnected == 0 else {
      close(upstream)
      close(client)
      return
    }
    Thread.detachNewThread { [self] in
      relay(client, upstream)
      close(client)
      close(upstream)
    }
  }

  private func relay(_ client: Int32, _ upstream: Int32) {
    var waiting: [UInt8] = []
    var hasBegun = false
    while true {
      var descriptors = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0),
        pollfd(fd: upstream, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&descriptors, 2, -1) > 0 else { return }
      if descriptors[1].revents != 0 {
        guard let bytes = Self.read(upstream), Self.write(bytes, to: client) else { return }
      }
      guard descriptors[0].revents != 0 else { continue }
      guard let bytes = Self.read(client) else { return }
      waiting += bytes
      while let message = Self.take(&waiting, hasBegun: &hasBegun) {
        switch message.count == 0 ? .pass : verdict() {
        case .pass: guard Self.write(message, to: upstream) else { return }
        case .cutBefore: return
        case .cutAfter:
          _ = Self.write(message, to: upstream)
          shutdown(client, Int32(SHUT_RDWR))
          shutdown(upstream, Int32(SHUT_WR))
          while Self.read(upstream) != nil {}
          return
        }
      }
    }
  }

  /// The next whole message of a client: its first one has no type before its length.
  private static func take(_ bytes: inout [UInt8], hasBegun: inout Bool) -> [UInt8]? {
    let start = hasBegun ? 1 : 0
    guard bytes.count >= start + 4 else { return nil }
    let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + start
    guard bytes.count >= length else { return nil }
    hasBegun = true
    defer { bytes.removeFirst(length) }
    return Array(bytes[..<length])
  }

  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }
}
#endif
