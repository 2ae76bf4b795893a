/// A floor that writes into a fresh copy of a file at each run.
final class FloorWrite: Contender {
  let name = "floor: C"
  let side = Side.floor
  private let files: WorkFiles
  private let template: String
  private let load: (FloorStore) throws -> Void
  private let write: (FloorStore) throws -> Void
  private let check: (FloorStore) throws -> Answer
  private var store: FloorStore?

  init(
    _ files: WorkFiles, template: String, load: @escaping (FloorStore) throws -> Void = { _ in },
    write: @escaping (FloorStore) throws -> Void, check: @escaping (FloorStore) throws -> Answer
  ) {
    self.files = files
    self.template = template
    self.load = load
    self.write = write
    self.check = check
  }

  func prepare() throws {
    store = nil
    let opened = try FloorStore(try files.freshCopy(of: template, as: "floor.db"))
    try load(opened)
    store = opened
  }

  func work() throws { if let store { try write(store) } }

  func answer() throws -> Answer {
    guard let store else { throw BenchmarkError("the floor's store is not open") }
    return try check(store)
  }
}
