/// A floor that reads: the connection stays open, as a coordinator's does.
final class FloorRead: Contender {
  let name = "floor: C"
  let side = Side.floor
  private let store: FloorStore
  private let read: (FloorStore) throws -> Answer
  private var found = Answer(count: 0)

  init(_ path: String, _ read: @escaping (FloorStore) throws -> Answer) throws {
    store = try FloorStore(path)
    self.read = read
  }

  func work() throws { found = try read(store) }
  func answer() throws -> Answer { found }
}
