/// A contender whose every run works on something that is made for it before, outside the measured time.
final class PreparedContender<Material>: Contender {
  let name: String
  let side: Side
  private let making: () throws -> Material
  private let body: (Material) throws -> Answer
  private var material: Material?
  private var found = Answer(count: 0)

  init(
    _ name: String, _ side: Side, making: @escaping () throws -> Material,
    _ body: @escaping (Material) throws -> Answer
  ) {
    self.name = name
    self.side = side
    self.making = making
    self.body = body
  }

  func prepare() throws { material = try making() }

  func work() throws {
    if let material { found = try body(material) }
  }

  func answer() throws -> Answer { found }
}
