import CGraphStoreCampaign
import Foundation

/// One case of a search: a folder of its own, random numbers of its own, and a report of what was run and
/// found.
final class CampaignCase {
  /// Something that must not be.
  struct Violation {
    /// The rule that was broken, in a few words that are the same for every case of the kind.
    var rule: String
    /// What tells this kind of violation of the rule from others, such as a command and its exit code.
    var key: String
    var detail: String
  }

  let search: String
  let seed: UInt64
  let number: Int
  let setup: Setup
  /// The folder in which commands run. What lies beside it is not for them to touch.
  let folder: String
  var random: Generator
  private(set) var violations: [Violation] = []
  private(set) var report: [String] = []
  private let root: String

  init(search: String, seed: UInt64, number: Int, setup: Setup, root: String) throws {
    self.search = search
    self.seed = seed
    self.number = number
    self.setup = setup
    self.root = root
    folder = root + "/work"
    random = Generator(seed: seed, search: search, number: number)
    Files.remove(root)
    for name in ["work", "work/tmp", "home"] { try Files.makeFolder(root + "/" + name) }
  }

  /// The folder of everything that the case made.
  var evidence: String { root }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Files of the case that commands do not see.
  func aside(_ name: String) -> String { root + "/" + name }

  var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": root + "/home", "TMPDIR": folder + "/tmp", "LC_ALL": "C.UTF-8",
      // The same bytes for the same case, where a dictionary is written.
      "SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no", "TERM": "xterm",
    ]
  }

  func command(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:], in folder: String? = nil
  ) -> CommandRun {
    CommandRun(
      program: setup.command, arguments: arguments, folder: folder ?? self.folder,
      environment: self.environment.merging(environment) { $1 }, input: input)
  }

  func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:], in folder: String? = nil
  ) throws -> Ending {
    recorded(try command(arguments, input: input, environment: environment, in: folder).run(), input: input)
  }

  /// Writes a run into the report of the case.
  func recorded(_ ending: Ending, input: [UInt8] = []) -> Ending {
    var text = "$ \(ending.commandLine)\n"
    if !input.isEmpty {
      text += "<<< \(String(decoding: input.prefix(2000), as: UTF8.self).debugDescription)\n"
    }
    text += "=> \(ending.code), \(ending.processorMilliseconds) ms, \(ending.memoryKilobytes) KB\n"
    for (name, bytes) in [("1", ending.output), ("2", ending.errors)] where !bytes.isEmpty {
      text += "\(name)> \(String(decoding: bytes.prefix(2000), as: UTF8.self))\n"
    }
    report.append(text)
    return ending
  }

  /// Writes a line into the report of the case.
  func record(_ text: String) { report.append(text + "\n") }

  func violate(_ rule: String, key: String, _ detail: String) {
    violations.append(Violation(rule: rule, key: key, detail: detail))
    report.append("!!! \(rule) [\(key)]: \(detail)\n")
  }
}
