import Foundation
import GraphStorePredicates
import Synchronization

/// Channels by which the library reports what it does not throw.
///
/// ```swift
/// Diagnostics.onDeferredError = { error in print("kept for the next save:", error) }
/// Diagnostics.onStoreWarning = { warning in print(warning.message, warning.remedy) }
/// Diagnostics.tracedKinds = [.saves, .misses]
/// ```
public enum Diagnostics {
  private static let receiver = Mutex<(@Sendable (any Error) -> Void)?>(nil)
  private static let violationReceiver = Mutex<(@Sendable (String) -> Void)?>(nil)
  private static let reported = Mutex<Set<String>>([])
  /// Further messages are not reported by themselves.
  private static let mostMessages = 1000

  /// Takes the errors of typed accessors, which cannot throw, at once and on the thread concerned; the next
  /// save of the context throws the first of them all the same.
  ///
  /// Nil writes each message as a line to standard error, once a process.
  public static var onDeferredError: (@Sendable (any Error) -> Void)? {
    get { receiver.withLock { $0 } }
    set { receiver.withLock { $0 = newValue } }
  }

  /// Takes the message of each use of a context or an object outside of the context's queue, on the thread of
  /// that use, which then continues: for tests that provoke it.
  ///
  /// Nil stops the program at such a use, with the message and a backtrace on standard error. Uses are
  /// checked in debug builds, and where `GRAPHSTORE_CONCURRENCY_DEBUG` is 1; see <doc:Concurrency>.
  public static var onConcurrencyViolation: (@Sendable (String) -> Void)? {
    get { violationReceiver.withLock { $0 } }
    set { violationReceiver.withLock { $0 = newValue } }
  }

  static func reportDeferred(_ error: any Error) {
    if let receiver = onDeferredError { return receiver(error) }
    let message = "\(error)"
    let isNew = reported.withLock { $0.count < mostMessages && $0.insert(message).inserted }
    if isNew { try? FileHandle.standardError.write(contentsOf: Data("\(message)\n".utf8)) }
  }
}

extension Diagnostics {
  private static let warningReceiver = Mutex<(@Sendable (StoreWarning) -> Void)?>(nil)

  /// Takes what is noticed of a store while it is used, on the thread concerned and after the save concerned;
  /// nil writes it as a line to standard error.
  ///
  /// Findings of opening a store are in ``PersistentStoreCoordinator/warnings`` instead.
  public static var onStoreWarning: (@Sendable (StoreWarning) -> Void)? {
    get { warningReceiver.withLock(\.self) }
    set { warningReceiver.withLock { $0 = newValue } }
  }

  static func report(_ warning: StoreWarning) {
    if let receiver = onStoreWarning { return receiver(warning) }
    let line = "warning: \(warning.message) \(warning.remedy)\n"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
}

extension StoreWarning {
  /// From which size on, in bytes, metadata are worth a warning.
  private static let largeMetadata = 1 << 20

  /// Warns of metadata that have become large, since they are read whole at every opening (STO-119).
  static func reportLargeMetadata(_ values: [String: Value], path: String) {
    guard let size = try? PropertyList.data(values).count, size > largeMetadata else { return }
    Diagnostics.report(
      StoreWarning(
        code: "metadata-large",
        message: "The metadata of \(path) have \(size) bytes, and are read whole at every opening.",
        remedy: "Keep large values in objects, and in the metadata what tells stores apart.",
        preventsWriting: false))
  }
}

/// Finding in a store that prevents nothing but perhaps writing.
///
/// ``PersistentStoreCoordinator/warnings`` has the findings of opening the stores;
/// ``Diagnostics/onStoreWarning`` takes later ones.
///
/// ```swift
/// for warning in coordinator.warnings {
///   print(warning.code, warning.message, warning.remedy)
/// }
/// ```
public struct StoreWarning: Hashable, Sendable {
  /// The stable word for what was found: `store-has-triggers`, `store-tracks-history`, `store-corrupt`,
  /// `metadata-large`, `log-large` or `log-refused`.
  public let code: String
  /// The finding, as a sentence.
  public let message: String
  /// What to do about it.
  public let remedy: String
  /// Whether the store opens for reading only because of it, whatever was asked for.
  public let preventsWriting: Bool
}
