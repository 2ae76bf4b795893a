#if PostgreSQL
import GraphStore
import Synchronization

/// The keys that a process has taken from a store and has not given to records yet, by entity tree.
///
/// They are taken in blocks, so that writers of several processes do not wait for each other at the counter.
/// What is left of a block when the process ends is never used.
final class PostgreSQLKeys: Sendable {
  /// The least number of keys that are taken at once.
  private static let leastBlock = 32
  /// The greatest number that are taken without being asked for.
  private static let greatestBlock = 4096

  private struct Block {
    var next: Int64 = 1
    var end: Int64 = 1
    /// How many are taken next.
    var size = PostgreSQLKeys.leastBlock
  }

  private let schema: SQLSchema
  private let path: String
  private let blocks: Mutex<[Int: Block]>

  init(_ schema: SQLSchema, path: String) {
    self.schema = schema
    self.path = path
    blocks = Mutex([:])
  }

  /// Reserves keys that follow each other; returns the first.
  ///
  /// - Parameter take: Takes keys from the store, of the tree of a number, and returns the last of them.
  func reserve(
    _ root: EntityLayout, count: Int, _ take: (_ number: Int, _ count: Int) throws -> Int64
  ) throws -> Int64 {
    // Held while the store is asked: one context of a process writes at a time.
    try blocks.withLock { blocks in
      var block = blocks[root.index] ?? Block()
      if block.end - block.next < Int64(count) {
        let size = max(count, block.size)
        let last = try take(schema.entities[root.index].namingNumber, size)
        guard last >= Int64(size), PackedReference.keyRange.contains(last) else {
          throw GraphStoreError(
            .storeCorrupt, "\(path) has no usable key counter for \(root.entity.name).",
            remedy: "Restore the table of entities from a backup.", entity: root.entity.name)
        }
        let first = last - Int64(size) + 1
        // Others may have taken keys since: what is left of the former block is not used then.
        if first != block.end { block.next = first }
        block.end = last + 1
        block.size = min(block.size * 2, Self.greatestBlock)
      }
      defer { blocks[root.index] = block }
      block.next += Int64(count)
      return block.next - Int64(count)
    }
  }
}
#endif
