import GRDB

/// A peer that writes into a fresh copy of a file at each run.
final class GRDBWrite: Contender {
  let name: String
  let side = Side.peer
  private let files: WorkFiles
  private let template: String
  private let write: (DatabaseQueue) throws -> Void
  private let check: (FloorStore) throws -> Answer
  private var path = ""
  private var queue: DatabaseQueue?

  init(
    _ name: String, _ files: WorkFiles, template: String, write: @escaping (DatabaseQueue) throws -> Void,
    check: @escaping (FloorStore) throws -> Answer
  ) {
    self.name = name
    self.files = files
    self.template = template
    self.write = write
    self.check = check
  }

  func prepare() throws {
    queue = nil
    path = try files.freshCopy(of: template, as: "peer.db")
    queue = try DatabaseQueue(path: path)
  }

  func work() throws { if let queue { try write(queue) } }
  func answer() throws -> Answer { try check(try FloorStore(path)) }
}
