import CGraphStoreCampaign
import Foundation

/// A run of the command with one of its system calls interfered with: those that write to the folder are
/// counted.
struct TracedTool {
  /// What is done to the call.
  enum Deed {
    /// Nothing; calls are counted alone.
    case count
    /// The process is killed in place of the call.
    case kill
    /// Half of what is to be written is, and the process is killed at the next call.
    case tear
    /// The call fails.
    case fail(Int32)
  }

  struct Ending {
    /// The exit code; nil for a process that was killed.
    let code: Int32?
    /// How many calls were made.
    let calls: Int
    /// The name of the call, and what it was about.
    let call: String
  }

  private struct Failed: Error {}

  /// Runs the command with arguments, and does a deed to one of its calls.
  static func run(
    _ tool: CommandLineTool, _ arguments: [String], _ deed: Deed = .count, at call: Int = 0
  ) throws -> Ending {
    var injection = gs_campaign_injection()
    injection.number = UInt64(call)
    switch deed {
    case .count: injection.deed = Int32(gs_campaign_count)
    case .kill: injection.deed = Int32(gs_campaign_kill)
    case .tear: injection.deed = Int32(gs_campaign_tear)
    case .fail(let error):
      injection.deed = Int32(gs_campaign_fail)
      injection.error = error
    }
    var ending = gs_campaign_ending()
    let result = start(tool, arguments) { gs_campaign_trace(&$0, 60_000, &injection, &ending) }
    guard result == 0 else { throw Failed() }
    let signal = ending.status & 0x7F
    let name = withUnsafeBytes(of: injection.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let subject = withUnsafeBytes(of: injection.subject) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return Ending(
      code: signal == 0 ? (ending.status >> 8) & 0xFF : nil, calls: Int(injection.made),
      call: "\(name) \(subject)")
  }

  private static func start(
    _ tool: CommandLineTool, _ arguments: [String], _ body: (inout gs_campaign_program) -> Int32
  ) -> Int32 {
    let path = CommandLineTool.executable.path
    let variables = ["PATH": "/usr/bin:/bin", "HOME": tool.folder.path, "LC_ALL": "C.UTF-8"]
      .merging(tool.environment) { $1 }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    let files = (0..<3).map { _ in gs_campaign_memory_file() }
    defer {
      (words + environment).forEach { free($0) }
      files.forEach { _ = close($0) }
    }
    return path.withCString { path in
      tool.folder.path.withCString { folder in
        words.withUnsafeMutableBufferPointer { words in
          environment.withUnsafeMutableBufferPointer { environment in
            var program = gs_campaign_program()
            program.program = path
            program.folder = folder
            program.arguments = UnsafePointer(words.baseAddress)
            program.environment = UnsafePointer(environment.baseAddress)
            (program.input, program.output, program.errors) = (files[0], files[1], files[2])
            return body(&program)
          }
        }
      }
    }
  }
}
