import Synchronization

/// Asks a statement that is running to stop; it looks now and then.
final class Interruption: Sendable {
  private let isAsked = Atomic<Bool>(false)

  func ask() { isAsked.store(true, ordering: .relaxed) }

  func clear() { isAsked.store(false, ordering: .relaxed) }

  /// - Throws: `interrupted`, once somebody has asked.
  @inline(__always)
  func check() throws {
    if isAsked.load(ordering: .relaxed) { try fail() }
  }

  private func fail() throws -> Never {
    throw Diagnostic(code: "interrupted", message: "interrupted", exitCode: .interrupted)
  }
}
