/// What identifies one object: the protocol a store's object identifiers conform to so that they can be
/// carried in a ``Value``.
public protocol ObjectIdentifying: Hashable, Sendable {
  /// The identifier's URI, made on demand.
  var uriText: String { get }
  /// A hash that all identifiers of one record have in common, whatever their type: the number of the URI's last
  /// part.
  var recordHash: Int { get }
  /// Whether the object comes before another one where objects are sorted by `objectID`.
  func precedes(_ other: Self) -> Bool
}

extension ObjectIdentifying {
  /// The number in `p12`, the last part of the URI; the hash of that part when it is no such number.
  public var recordHash: Int {
    let last = uriText.split(separator: "/").last ?? ""
    if last.first == "p", let number = Int(last.dropFirst()) { return number }
    return last.hashValue
  }

  /// By the texts of the URIs.
  public func precedes(_ other: Self) -> Bool {
    TextFolding.none.order(uriText, other.uriText) < 0
  }
}
