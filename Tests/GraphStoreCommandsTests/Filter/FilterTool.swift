import Foundation

extension CommandLineTool {
  /// Runs `graphstore filter` over some input.
  @discardableResult
  func filter(_ arguments: String..., input: String = "") throws -> Outcome {
    try run(Self.executable.path, ["filter"] + arguments, input: Data(input.utf8))
  }
}
