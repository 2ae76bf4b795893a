import Foundation
import GraphStoreModel

/// What tells the model that a store is opened with apart from the one it was made with, for people.
struct ModelDifferenceText {
  /// `added: A, B; removed: C; changed: D`
  let summary: String
  /// What differs in each changed entity, where the store carries its model.
  let details: [String]

  init(stored: [String: Data], carried: ManagedObjectModel?, given: StoredEntities) {
    let own = given.versionHashes
    let changed = own.keys.filter { stored[$0] != nil && stored[$0] != own[$0] }.sorted()
    let lists: [(String, [String])] = [
      ("added", own.keys.filter { stored[$0] == nil }.sorted()),
      ("removed", stored.keys.filter { own[$0] == nil }.sorted()), ("changed", changed),
    ]
    summary = lists.filter { !$0.1.isEmpty }.map { "\($0): \($1.joined(separator: ", "))" }
      .joined(separator: "; ")
    details = changed.compactMap { name in
      let words = carried.map { given.model.differencesInHash(of: name, from: $0) } ?? []
      return words.isEmpty ? nil : "\(name) differs in \(words.joined(separator: ", "))"
    }
  }
}
