import Foundation
import GraphStore
import Synchronization

/// Receives the messages of the concurrency guard for contexts of certain names; any other ends the run as it
/// would without a receiver.
final class ViolationRecorder: Sendable {
  private static let shared: ViolationRecorder = {
    let recorder = ViolationRecorder()
    Diagnostics.onConcurrencyViolation = { recorder.take($0) }
    return recorder
  }()

  private let messages = Mutex<[String: [String]]>([:])

  private func take(_ message: String) {
    let isExpected = messages.withLock { messages in
      guard let name = messages.keys.first(where: { message.contains("context \"\($0)\"") }) else {
        return false
      }
      messages[name]?.append(message)
      return true
    }
    if !isExpected { fatalError(message) }
  }

  /// The messages about a context while a body runs.
  static func messages(about context: ManagedObjectContext, _ body: () throws -> Void) rethrows -> [String] {
    let name = context.name ?? UUID().uuidString
    context.name = name
    shared.messages.withLock { $0[name] = [] }
    defer { shared.messages.withLock { $0[name] = nil } }
    try body()
    return shared.messages.withLock { $0[name] ?? [] }
  }
}

/// Runs a body on a thread of its own, which stands on no queue, and waits for it.
func onAnotherThread(_ body: @escaping () throws -> Void) {
  nonisolated(unsafe) let body = body
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    do { try body() } catch { fatalError("\(error)") }
    isDone.signal()
  }
  isDone.wait()
}
