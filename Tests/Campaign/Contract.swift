/// Contract of every run of the command, whatever it was given.
enum Contract {
  static let codes: Set<Int32> = [0, 2, 3, 4, 5, 64, 65, 66, 73, 74, 75, 77, 78]
  /// Codes that are an answer, which needs no message.
  static let answers: Set<Int32> = [0, 2]
  static let processorMilliseconds = 15_000
  static let memoryKilobytes = 1 << 20
}

extension CampaignCase {
  /// Records a violation where a run broke the contract: a signal, an exit code that is none, a failure
  /// without a message, a run without bounds in time or memory.
  @discardableResult
  func expectContract(_ ending: Ending, of subject: String, codes: Set<Int32> = Contract.codes) -> Bool {
    let count = violations.count
    if ending.hasTimedOut {
      violate("does not end", key: subject, "it was killed")
    } else if ending.signal != nil || ending.code == 70 || (132...139).contains(ending.code) {
      violate("crash", key: "\(subject) \(ending.code) \(Self.place(ending.errorText))", ending.errorText)
    } else if !codes.contains(ending.code) {
      violate("exit code", key: "\(subject) \(ending.code)", ending.errorText)
    } else if !Contract.answers.contains(ending.code), ending.errors.isEmpty,
      // A refusal is what a dry run was asked for: it stands in the answer.
      !(ending.commandLine.contains("--dry-run") && !ending.output.isEmpty)
    {
      violate("no message", key: "\(subject) \(ending.code)", "nothing on standard error")
    }
    if ending.errorText.contains("[internal]") {
      violate("internal error", key: subject, ending.errorText)
    }
    if !ending.hasTimedOut, ending.processorMilliseconds > Contract.processorMilliseconds {
      violate("slow", key: subject, "\(ending.processorMilliseconds) ms of the processor")
    }
    if ending.memoryKilobytes > Contract.memoryKilobytes {
      violate("memory", key: subject, "\(ending.memoryKilobytes) KB")
    }
    return violations.count == count
  }

  /// Where the program stopped, as a build for debugging says it: a file and a line.
  private static func place(_ text: String) -> String {
    guard let line = text.split(separator: "\n").first(where: { $0.contains("Fatal error") }) else {
      return ""
    }
    return String(line.prefix(80))
  }
}
