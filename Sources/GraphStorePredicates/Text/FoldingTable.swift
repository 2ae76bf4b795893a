import Foundation
import Synchronization

/// Paged table of the folding keys of single scalars; a page is made by the general folding when text first
/// needs it.
///
/// A text is cut where a scalar begins anew, that is where nothing before it can change its key: the key of
/// the text is then that of its parts. Most parts are one scalar, whose key is in the table; a letter with
/// marks is a run, whose key is kept once it was made. Pages are never freed: a script in use takes some
/// kilobytes.
@safe final class FoldingTable: @unchecked Sendable {
  private typealias Page = UnsafePointer<FoldedScalar>

  private static let pageCount = 0x110000 >> 8
  private static let cased = FoldingTable(.caseInsensitive)
  private static let unmarked = FoldingTable(.diacriticInsensitive)
  private static let canonical = FoldingTable(.canonical)

  private let folding: TextFolding
  private let pages: UnsafeMutablePointer<Atomic<UnsafePointer<FoldedScalar>?>>
  private let runs: FoldedRuns

  /// The table of a folding that changes something.
  static func table(_ folding: TextFolding) -> FoldingTable {
    if folding.foldsCase { return folding.foldsDiacritics ? canonical : cased }
    return unmarked
  }

  private init(_ folding: TextFolding) {
    self.folding = folding
    unsafe pages = .allocate(capacity: Self.pageCount)
    for number in 0..<Self.pageCount { unsafe (pages + number).initialize(to: Atomic(nil)) }
    runs = FoldedRuns(folding)
  }

  deinit {
    for number in 0..<Self.pageCount { unsafe pages[number].load(ordering: .relaxed)?.deallocate() }
    unsafe pages.deinitialize(count: Self.pageCount).deallocate()
  }

  // MARK: Keys

  /// The room that the key of a text of so many bytes needs.
  static func capacity(forTextOf count: Int) -> Int { count * 4 + 8 }

  /// Writes the key of a text to a buffer of ``capacity(forTextOf:)`` and returns its length; nil for a text
  /// that is not well formed or whose key has no room.
  func write(_ text: UnsafeBufferPointer<UInt8>, to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard let start = buffer.baseAddress else { return nil }
    let key = UnsafeMutableRawPointer(start)
    let foldsCase = folding.foldsCase
    var offset = 0
    var count = 0
    // The position of the last scalar that begins anew, in the text and in the key.
    var runOffset = 0
    var runCount = 0
    var losesMarks = false
    var pageNumber = UInt32.max
    var page: Page?
    while offset < text.count {
      let byte = unsafe text[offset]
      if byte < 0x80 {
        runOffset = offset
        runCount = count
        losesMarks = true
        unsafe start[count] = foldsCase ? ASCII.lower(byte) : byte
        offset += 1
        count += 1
        continue
      }
      let (scalar, width) = unsafe UTF8Scalars.decode(text, at: offset)
      guard width > 1 else { return nil }
      if unsafe page == nil || scalar.value >> 8 != pageNumber {
        pageNumber = scalar.value >> 8
        unsafe page = unsafe self.page(pageNumber)
      }
      guard let folded = unsafe page?[Int(scalar.value & 0xFF)] else { return nil }
      if !folded.joins {
        runOffset = offset
        runCount = count
        losesMarks = folded.losesMarks
        unsafe (key + count).storeBytes(of: folded.bits.littleEndian, as: UInt64.self)
        offset += width
        count += folded.count
      } else if losesMarks, folded.isDropped {
        offset += width
      } else {
        offset = unsafe endOfRun(text, from: offset + width)
        let run = unsafe UnsafeBufferPointer(rebasing: text[runOffset..<offset])
        // No key is longer than four bytes for each byte of its text up to here: so all that follows has
        // room.
        let room = unsafe UnsafeMutableBufferPointer(start: start + runCount, count: offset * 4 - runCount)
        guard let length = unsafe runs.write(run, to: room) else { return nil }
        count = runCount + length
      }
    }
    return count
  }

  /// The offset of the next scalar that begins anew.
  private func endOfRun(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var offset = start
    while offset < text.count, unsafe text[offset] >= 0x80 {
      let (scalar, width) = unsafe UTF8Scalars.decode(text, at: offset)
      guard unsafe page(scalar.value >> 8)[Int(scalar.value & 0xFF)].joins else { return offset }
      offset += width
    }
    return offset
  }

  // MARK: Pages

  private func page(_ number: UInt32) -> Page {
    unsafe pages[Int(number)].load(ordering: .acquiring) ?? makePage(number)
  }

  @inline(never)
  private func makePage(_ number: UInt32) -> Page {
    let made = UnsafeMutablePointer<FoldedScalar>.allocate(capacity: 256)
    for (index, scalar) in foldedScalars(of: number).enumerated() {
      unsafe (made + index).initialize(to: scalar)
    }
    let page = unsafe UnsafePointer(made)
    let outcome = unsafe pages[Int(number)].compareExchange(
      expected: nil, desired: page, ordering: .acquiringAndReleasing)
    guard let known = unsafe outcome.original else { return unsafe page }
    unsafe page.deallocate()
    return unsafe known
  }

  /// The scalars of a page, folded all at once between separators that neither fold nor compose.
  private func foldedScalars(of page: UInt32) -> [FoldedScalar] {
    let scalars = (0..<256).map { Unicode.Scalar(page << 8 | $0) }
    var joined = String.UnicodeScalarView()
    for scalar in scalars {
      if let scalar, !scalar.joinsInFolding { joined.append(scalar) }
      joined.append("\u{1}")
    }
    let keys = folding.slowKey(String(joined)).utf8.split(
      separator: 1, maxSplits: Int.max, omittingEmptySubsequences: false)
    let bases = folding.foldsDiacritics ? lastBases(String(joined)) : []
    return scalars.indices.map { index in
      guard let scalar = scalars[index], !scalar.joinsInFolding, keys[index].count <= FoldedScalar.longestKey
      else {
        let isMark = scalars[index].map(TextFolding.isMark) ?? false
        return FoldedScalar(joiningAndDroppedAfterBase: folding.foldsDiacritics && isMark)
      }
      let losesMarks = folding.foldsDiacritics && bases[index].map(TextFolding.losesMarks) ?? false
      return FoldedScalar(key: keys[index], losesMarks: losesMarks)
    }
  }

  /// The scalar to which marks after each part of a text with separators belong.
  private func lastBases(_ joined: String) -> [Unicode.Scalar?] {
    var bases: [Unicode.Scalar?] = [nil]
    for scalar in joined.decomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar == "\u{1}" {
        bases.append(nil)
      } else if !TextFolding.isMark(scalar) {
        bases[bases.count - 1] = scalar
      }
    }
    return bases
  }
}

extension Unicode.Scalar {
  /// Whether the scalar may reorder, compose with or belong to the text before it. True where that is not
  /// known for certain: true is slower, never wrong.
  var joinsInFolding: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .unassigned: return true
    default: break
    }
    if properties.canonicalCombiningClass != .notReordered { return true }
    switch value {
    case 0x01: return true  // Separates the scalars of a page while it is made.
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true  // Vowels and finals of Hangul compose into syllables.
    case 0x16D40...0x16D7F: return true  // Vowels of Kirat Rai compose though they are letters.
    default: return false
    }
  }
}
