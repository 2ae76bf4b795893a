import Foundation

/// The seed of a random test: a fixed one, so that the same numbers are drawn in every run, or what the
/// environment says.
///
/// `GS_SEED` is the first seed of every random test that runs, and `GS_ROUNDS` a factor on how many of them
/// there are. A test is given its seeds as arguments, so that whatever fails prints the seed, as the command
/// line that runs it again.
package struct TestSeed: Sendable, Hashable, Codable, CustomStringConvertible {
  package let number: UInt64
  private let suite: String

  /// A seed of a test in a file of the name of its suite.
  private init(_ number: UInt64, file: String) {
    self.number = number
    let name = file.split(separator: "/").last ?? ""
    suite = name.split(separator: ".").first.map(String.init) ?? ""
  }

  /// The seeds of a test: so many from a fixed one on, or from `GS_SEED` on, times `GS_ROUNDS`.
  package static func sequence(_ count: Int, from fixed: UInt64 = 0, file: String = #fileID) -> [TestSeed] {
    let first = number("GS_SEED") ?? fixed
    return (0..<UInt64(count) * rounds).map { TestSeed(first &+ $0, file: file) }
  }

  /// What `GS_ROUNDS` says, else 1.
  private static var rounds: UInt64 { max(1, number("GS_ROUNDS") ?? 1) }

  private static func number(_ variable: String) -> UInt64? {
    ProcessInfo.processInfo.environment[variable].flatMap(UInt64.init)
  }

  /// A generator at the beginning of its numbers.
  package var generator: SeededGenerator { SeededGenerator(seed: number) }

  /// The command line that runs the test with the seed first.
  package var description: String { "GS_SEED=\(number) swift test --filter \(suite)" }
}
