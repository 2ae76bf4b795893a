import Foundation
import Synchronization

/// Table of the references by which a store knows its objects, and of the keys that stand for them in this
/// process.
///
/// Keys count for an entity tree and are never given twice. Everybody who has one store open shares its
/// table: identifiers of one record are equal, whoever has made them.
package final class NodeReferenceTable: Sendable {
  private struct Tree {
    var keys: [NodeReference: Int64] = [:]
    var references: [Int64: NodeReference] = [:]
    var lastKey: Int64 = 0
  }

  /// By the name of the root entity, whose position may differ from model to model.
  private let trees = Mutex<[String: Tree]>([:])

  private struct Weak: Sendable { weak let table: NodeReferenceTable? }

  private static let tables = Mutex<[UUID: Weak]>([:])

  /// The table of the store with a UUID.
  package static func shared(by identifier: UUID) -> NodeReferenceTable {
    tables.withLock { tables in
      if let table = tables[identifier]?.table { return table }
      tables = tables.filter { $0.value.table != nil }
      let table = NodeReferenceTable()
      tables[identifier] = Weak(table: table)
      return table
    }
  }

  private func change<Result>(_ root: String, _ body: (inout Tree) -> Result) -> Result {
    trees.withLock { body(&$0[root, default: Tree()]) }
  }

  /// The key of a reference; nil for one that nobody has named yet.
  package func knownKey(of reference: NodeReference, in root: String) -> Int64? {
    trees.withLock { $0[root]?.keys[reference] }
  }

  /// The key of a reference, which gets one where it has none.
  package func key(of reference: NodeReference, in root: String) -> Int64 {
    change(root) { tree in
      if let key = tree.keys[reference] { return key }
      tree.lastKey += 1
      tree.keys[reference] = tree.lastKey
      tree.references[tree.lastKey] = reference
      return tree.lastKey
    }
  }

  /// The reference of a key; nil for one that has none yet.
  package func reference(of key: Int64, in root: String) -> NodeReference? {
    trees.withLock { $0[root]?.references[key] }
  }

  /// Has a reference stand for a key from now on, whatever key it had before.
  package func assign(_ reference: NodeReference, to key: Int64, in root: String) {
    change(root) { tree in
      tree.keys[reference] = key
      tree.references[key] = reference
    }
  }

  /// The key that was taken last; 0 where there was none.
  package func lastKey(in root: String) -> Int64 { trees.withLock { $0[root]?.lastKey ?? 0 } }

  /// Takes keys that have no references yet; returns the first.
  package func reserveKeys(_ count: Int, in root: String) -> Int64 {
    change(root) { tree in
      defer { tree.lastKey += Int64(count) }
      return tree.lastKey + 1
    }
  }
}
