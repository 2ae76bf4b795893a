#if PostgreSQL
/// A contender whose tables are made ready before each run, and looked at after it.
final class ServerContender<Material>: Contender {
  let name: String
  let side: Side
  private let making: () throws -> Material
  private let body: (Material) throws -> Void
  private let check: () throws -> Answer
  private var material: Material?

  init(
    _ name: String, _ side: Side, making: @escaping () throws -> Material,
    work body: @escaping (Material) throws -> Void, check: @escaping () throws -> Answer
  ) {
    self.name = name
    self.side = side
    self.making = making
    self.body = body
    self.check = check
  }

  func prepare() throws {
    material = nil
    material = try making()
  }

  func work() throws { if let material { try body(material) } }

  func answer() throws -> Answer { try check() }
}
#endif
