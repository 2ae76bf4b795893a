import Foundation
import Synchronization

/// Cache of the folding keys of runs of scalars that act on each other, a letter with its marks most often.
///
/// A fixed number of short runs is kept for good, so that readers need no lock; the keys of others are made
/// each time.
@safe final class FoldedRuns: @unchecked Sendable {
  private final class Entry {
    let text: [UInt8]
    let key: [UInt8]

    init(text: [UInt8], key: [UInt8]) {
      self.text = text
      self.key = key
    }
  }

  private static let slotCount = 4096
  /// The number of slots in which a run may be stored, from the one of its hash on.
  private static let probeCount = 4
  private static let longestText = 32

  private let folding: TextFolding
  private let slots: UnsafeMutablePointer<Atomic<Unmanaged<Entry>?>>

  init(_ folding: TextFolding) {
    self.folding = folding
    unsafe slots = .allocate(capacity: Self.slotCount)
    for slot in 0..<Self.slotCount { unsafe (slots + slot).initialize(to: Atomic(nil)) }
  }

  deinit {
    for slot in 0..<Self.slotCount { unsafe slots[slot].load(ordering: .relaxed)?.release() }
    unsafe slots.deinitialize(count: Self.slotCount).deallocate()
  }

  /// Writes the key of a run and returns its length; nil when it has no room.
  func write(_ run: UnsafeBufferPointer<UInt8>, to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    let first = unsafe Self.slot(of: run)
    for probe in 0..<Self.probeCount where run.count <= Self.longestText {
      let slot = (first + probe) % Self.slotCount
      let entry = unsafe slots[slot].load(ordering: .acquiring)?.takeUnretainedValue() ?? keep(run, in: slot)
      if entry.text.count == run.count, unsafe entry.text.elementsEqual(run) {
        return unsafe Self.copy(entry.key, to: buffer)
      }
    }
    return unsafe Self.copy(Array(folding.slowKey(String(decoding: run, as: UTF8.self)).utf8), to: buffer)
  }

  /// Makes the key of a run and keeps it in an empty slot; returns the slot's entry.
  @inline(never)
  private func keep(_ run: UnsafeBufferPointer<UInt8>, in slot: Int) -> Entry {
    let key = unsafe folding.slowKey(String(decoding: run, as: UTF8.self))
    let made = unsafe Unmanaged.passRetained(Entry(text: Array(run), key: Array(key.utf8)))
    let outcome = unsafe slots[slot].compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard let known = unsafe outcome.original else { return unsafe made.takeUnretainedValue() }
    unsafe made.release()
    return unsafe known.takeUnretainedValue()
  }

  private static func slot(of run: UnsafeBufferPointer<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in run.indices { hash = unsafe (hash ^ UInt64(run[index])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(slotCount - 1))
  }

  private static func copy(_ key: [UInt8], to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard key.count <= buffer.count else { return nil }
    _ = unsafe buffer.update(fromContentsOf: key)
    return key.count
  }
}
