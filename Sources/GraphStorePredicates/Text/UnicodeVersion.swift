import _FoundationICU

/// The version of Unicode by which texts are folded and normalised.
public enum UnicodeVersion {
  /// The version, such as `15.1`.
  public static let current: String = {
    var parts: [UInt8] = [0, 0, 0, 0]
    unsafe swift_u_getUnicodeVersion(&parts)
    return "\(parts[0]).\(parts[1])"
  }()
}
