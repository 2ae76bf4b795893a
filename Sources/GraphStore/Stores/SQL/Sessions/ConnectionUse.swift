/// Who uses the connections of a pool, and whether somebody may begin to.
package struct ConnectionUse {
  /// Connections that are reading, those apart that others do not wait for.
  package var readers = 0
  package var isWriting = false
  /// Connections that were taken, or are being opened.
  package var inUse = 0
  package var isStopped = false
  package var isClosed = false
  /// Whether it closes as soon as nothing is in use; what is in use may take more until then.
  package var isClosing = false
  /// The block that has the store to itself, or is going to.
  package var exclusiveAccess: ExclusiveAccess?

  package init() {}

  /// Whether the calling thread may begin something.
  package var allowsCaller: Bool { exclusiveAccess?.allowsCaller ?? true }
}
