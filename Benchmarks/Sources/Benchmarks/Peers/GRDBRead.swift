import GRDB

/// A peer that reads: the connection stays open.
final class GRDBRead: Contender {
  let name: String
  let side = Side.peer
  private let queue: DatabaseQueue
  private let read: (Database) throws -> Answer
  private var found = Answer(count: 0)

  init(_ name: String, _ path: String, _ read: @escaping (Database) throws -> Answer) throws {
    self.name = name
    self.read = read
    queue = try DatabaseQueue(path: path)
  }

  func work() throws { found = try queue.read(read) }
  func answer() throws -> Answer { found }
}
