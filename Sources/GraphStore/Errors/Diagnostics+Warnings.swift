import Foundation
import GraphStorePredicates
import Synchronization

extension Diagnostics {
  private static let warningReceiver = Mutex<(@Sendable (StoreWarning) -> Void)?>(nil)

  /// Takes what is noticed of a store while it is used, on the thread concerned and after the save concerned; nil writes
  /// it as a line to standard error.
  ///
  /// What was found when a store was opened is in ``PersistentStoreCoordinator/warnings`` instead.
  public static var onStoreWarning: (@Sendable (StoreWarning) -> Void)? {
    get { warningReceiver.withLock(\.self) }
    set { warningReceiver.withLock { $0 = newValue } }
  }

  static func tell(_ warning: StoreWarning) {
    if let receiver = onStoreWarning { return receiver(warning) }
    let line = "warning: \(warning.message) \(warning.remedy)\n"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }
}

extension StoreWarning {
  /// From which size on, in bytes, metadata are worth a warning.
  private static let largeMetadata = 1 << 20

  /// Warns of metadata that have become large, since they are read whole at every opening (STO-119).
  static func tellLargeMetadata(_ values: [String: Value], path: String) {
    guard let size = try? PropertyList.data(values).count, size > largeMetadata else { return }
    Diagnostics.tell(
      StoreWarning(
        code: "metadata-large",
        message: "The metadata of \(path) have \(size) bytes, and are read whole at every opening.",
        remedy: "Keep large values in objects, and in the metadata what tells stores apart.",
        preventsWriting: false))
  }
}
