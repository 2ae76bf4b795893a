import Foundation
import GraphStore

/// A store in a folder, with a file for each object and one for the metadata: it writes what has changed.
///
/// The new files lie in a folder beside, which takes the place of the old one when it is whole.
struct DrawerStore: AtomicStore {
  let folder: URL

  init(_ opening: StoreOpening) { folder = opening.url }

  func load() throws -> AtomicStoreContent? {
    guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
    let decoder = PropertyListDecoder()
    let head = try decoder.decode(AtomicStoreContent.self, from: Data(contentsOf: file("metadata")))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "metadata" }
    let nodes = try names.map { try decoder.decode(StoreNode.self, from: Data(contentsOf: file($0))) }
    return AtomicStoreContent(metadata: head.metadata, nodes: nodes)
  }

  func save(_ save: AtomicStoreSave) throws {
    let next = folder.deletingLastPathComponent().appending(path: "." + UUID().uuidString)
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.copyItem(at: folder, to: next)
    } else {
      try FileManager.default.createDirectory(at: next, withIntermediateDirectories: true)
    }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    for id in save.deleted { try FileManager.default.removeItem(at: next.appending(path: name(id))) }
    for id in save.inserted + save.updated {
      try encoder.encode(try save.node(id)).write(to: next.appending(path: name(id)))
    }
    let head = AtomicStoreContent(metadata: save.metadata, nodes: [])
    try encoder.encode(head).write(to: next.appending(path: "metadata"))
    let old = folder.deletingLastPathComponent().appending(path: "." + UUID().uuidString)
    if FileManager.default.fileExists(atPath: folder.path) {
      try FileManager.default.moveItem(at: folder, to: old)
    }
    try FileManager.default.moveItem(at: next, to: folder)
    try? FileManager.default.removeItem(at: old)
  }

  private func file(_ name: String) -> URL { folder.appending(path: name) }

  private func name(_ id: NodeIdentifier) -> String { "\(id.entity)-\(id.reference)" }
}

extension StoreType {
  static let drawer = StoreType(rawValue: "Drawer")
}
