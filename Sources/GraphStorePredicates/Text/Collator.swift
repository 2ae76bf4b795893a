import Foundation
import Synchronization
import _FoundationICU

/// One collator of the Unicode library that Foundation brings along, with the rules of a locale.
///
/// It is never changed once it is made, so that threads share it.
@safe final class Collator: @unchecked Sendable {
  /// Rules: the differences that count.
  enum Rules: Hashable {
    case allDifferences, withoutCase, withoutDiacritics, lettersAlone, fileBrowser
  }

  private struct Identity: Hashable {
    var localeIdentifier: String
    var rules: Rules
  }

  private static let made = Mutex<[Identity: Collator]>([:])

  private let handle: OpaquePointer?
  private let comparesBytesLast: Bool

  /// The collator of a locale, made when it is first asked for and kept for the life of the process.
  static func shared(localeIdentifier: String, _ rules: Rules) -> Collator {
    let identity = Identity(localeIdentifier: localeIdentifier, rules: rules)
    return made.withLock { made in
      if let collator = made[identity] { return collator }
      let collator = Collator(identity)
      made[identity] = collator
      return collator
    }
  }

  /// Replaces the library's default locale where the environment names one that the library may have no
  /// object for: it would end the process over it.
  private static let repairsDefault: Void = {
    let name = ProcessLocale.name(
      fromVariables: ["LC_ALL", "LC_MESSAGES", "LANG"], in: EnvironmentVariable.value)
    guard let name, LocaleName(ofEnvironment: name) == nil else { return }
    var status = U_ZERO_ERROR
    unsafe swift_uloc_setDefault("en_US_POSIX", &status)
  }()

  private init(_ identity: Identity) {
    comparesBytesLast = identity.rules == .fileBrowser
    var status = U_ZERO_ERROR
    _ = Self.repairsDefault
    // An unknown locale gets the root collation; for some that cannot be names at all it has to be asked for.
    var opened = unsafe swift_ucol_open(identity.localeIdentifier, &status)
    if unsafe opened == nil {
      status = U_ZERO_ERROR
      unsafe opened = unsafe swift_ucol_open("", &status)
    }
    unsafe handle = unsafe opened
    set(UCOL_NORMALIZATION_MODE, UCOL_ON)
    switch identity.rules {
    case .allDifferences: set(UCOL_STRENGTH, UCOL_TERTIARY)
    case .withoutCase: set(UCOL_STRENGTH, UCOL_SECONDARY)
    case .withoutDiacritics:
      set(UCOL_STRENGTH, UCOL_PRIMARY)
      set(UCOL_CASE_LEVEL, UCOL_ON)
    case .lettersAlone: set(UCOL_STRENGTH, UCOL_PRIMARY)
    case .fileBrowser:
      set(UCOL_STRENGTH, UCOL_TERTIARY)
      set(UCOL_NUMERIC_COLLATION, UCOL_ON)
      set(UCOL_CASE_LEVEL, UCOL_ON)
      set(UCOL_CASE_FIRST, UCOL_LOWER_FIRST)
    }
  }

  deinit { unsafe swift_ucol_close(handle) }

  private func set(_ attribute: UColAttribute, _ value: UColAttributeValue) {
    var status = U_ZERO_ERROR
    unsafe swift_ucol_setAttribute(handle, attribute, value, &status)
  }

  func order(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> ComparisonResult {
    guard unsafe handle != nil else { return unsafe ComparisonResult(TextFolding.none.order(left, right), 0) }
    var status = U_ZERO_ERROR
    let order = unsafe left.withMemoryRebound(to: CChar.self) { leftText in
      unsafe right.withMemoryRebound(to: CChar.self) { rightText in
        unsafe swift_ucol_strcollUTF8(
          handle, leftText.baseAddress, Int32(clamping: leftText.count), rightText.baseAddress,
          Int32(clamping: rightText.count), &status)
      }
    }
    if order == UCOL_LESS { return .orderedAscending }
    if order == UCOL_GREATER { return .orderedDescending }
    guard comparesBytesLast else { return .orderedSame }
    let bytes = unsafe TextFolding.none.order(left, right)
    return bytes < 0 ? .orderedAscending : bytes == 0 ? .orderedSame : .orderedDescending
  }

  /// The version of the library and of the locale's rules.
  var version: String {
    var parts: [UInt8] = [0, 0, 0, 0]
    guard unsafe handle != nil else { return "" }
    unsafe swift_ucol_getVersion(handle, &parts)
    return parts.map(String.init).joined(separator: ".")
  }

  func sortKey(of text: String) -> [UInt8] {
    guard unsafe handle != nil else { return Array(text.utf8) }
    let units = Array(text.utf16)
    let length = Int32(clamping: units.count)
    var key = [UInt8](repeating: 0, count: units.count * 4 + 16)
    let needed = unsafe Int(swift_ucol_getSortKey(handle, units, length, &key, Int32(clamping: key.count)))
    if needed > key.count {
      key = [UInt8](repeating: 0, count: needed)
      _ = unsafe swift_ucol_getSortKey(handle, units, length, &key, Int32(clamping: key.count))
    } else {
      key.removeSubrange(needed...)
    }
    if comparesBytesLast { key += text.utf8 }
    return key
  }
}
