import CFloors

/// Counts the bytes of heap that each object of a result takes while it is held.
final class MemoryContender: Contender {
  let name: String
  let side: Side
  private(set) var amount: Double?
  private let load: () throws -> (held: [AnyObject], answer: Answer)
  private var found = Answer(count: 0)

  init(_ name: String, _ side: Side, _ load: @escaping () throws -> (held: [AnyObject], answer: Answer)) {
    self.name = name
    self.side = side
    self.load = load
  }

  func work() throws {
    let before = floor_heap_bytes()
    let result = try load()
    let after = withExtendedLifetime(result.held) { floor_heap_bytes() }
    amount = Double(after - before) / Double(max(result.held.count, 1))
    found = result.answer
  }

  func answer() throws -> Answer { found }
}
