/// A contender that is a whole process.
final class CommandContender: Contender {
  let name: String
  let side: Side
  private(set) var peakBytes: Int?
  private let before: () throws -> Void
  private let process: ChildProcess
  private let check: (_ output: String) throws -> Answer

  init(
    _ name: String, _ side: Side, _ executable: String, _ arguments: [String], output: String,
    before: @escaping () throws -> Void = {}, check: @escaping (_ output: String) throws -> Answer
  ) {
    self.name = name
    self.side = side
    self.before = before
    self.check = check
    process = ChildProcess(executable: executable, arguments: arguments, output: output)
  }

  func prepare() throws { try before() }

  /// The first run, which is not counted, watches memory instead of time.
  func work() throws {
    let ending = try process.runChecked(watchingMemory: peakBytes == nil)
    peakBytes = peakBytes ?? ending.peakBytes ?? 0
  }

  func answer() throws -> Answer { try check(process.output) }
}
