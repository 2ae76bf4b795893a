import Glibc

/// Room for descriptors that the process may still open.
package enum DescriptorRoom {
  /// Whether some more can be opened.
  package static func isThere(for count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    while opened.count < count {
      let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// Whether a number of the system says that there is none.
  package static func isExhausted(_ number: Int32) -> Bool { number == EMFILE || number == ENFILE }
}
