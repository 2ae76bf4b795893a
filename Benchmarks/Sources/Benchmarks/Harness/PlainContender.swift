/// A contender that holds what it works on from the beginning.
final class PlainContender: Contender {
  let name: String
  let side: Side
  private let body: () throws -> Answer
  private var found = Answer(count: 0)

  init(_ name: String, _ side: Side, _ body: @escaping () throws -> Answer) {
    self.name = name
    self.side = side
    self.body = body
  }

  func work() throws { found = try body() }
  func answer() throws -> Answer { found }
}
