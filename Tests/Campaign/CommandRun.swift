import CGraphStoreCampaign
import Foundation

/// Ending of a run of the command, and what it wrote.
struct Ending {
  /// The exit code, or 128 and the number of the signal.
  var code: Int32
  var signal: Int32?
  var hasTimedOut: Bool
  var processorMilliseconds: Int
  var memoryKilobytes: Int
  var output: [UInt8]
  var errors: [UInt8]
  /// The command line, for people and the shell.
  var commandLine: String

  var outputText: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }
  var lines: [Substring] { outputText.split(separator: "\n") }
}

/// A program with arguments, ready to be run in a folder, with bounds on what it may take.
struct CommandRun {
  var program: String
  var arguments: [String]
  var folder: String
  var environment: [String: String]
  var input: [UInt8] = []
  /// The bounds hold for the code that is built for debugging: a run that reaches them is one that does not
  /// end.
  var processorSeconds: UInt64 = 40
  var addressSpace: UInt64 = 4 << 30
  var wallMilliseconds: Int32 = 90_000

  /// The line that does the same in the system's shell.
  var commandLine: String {
    (environment.filter { !["PATH", "SWIFT_BACKTRACE", "SWIFT_DETERMINISTIC_HASHING"].contains($0.key) }.map {
      "\($0.key)=\(quote($0.value))"
    }
    .sorted() + [quote(program)] + arguments.map(quote)).joined(separator: " ")
  }

  private func quote(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "-")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        || byte == UInt8(ascii: "=")
    }
    if isPlain, !text.isEmpty { return text }
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      return "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
    let escaped = text.utf8.map { byte in
      byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\")
        ? String(UnicodeScalar(byte)) : String(format: "\\x%02x", byte)
    }
    return "$'" + escaped.joined() + "'"
  }

  /// Runs to the end.
  func run() throws -> Ending {
    try withDescriptors { program in
      let process = gs_campaign_start(&program)
      guard process > 0 else { throw CampaignError(message: "cannot start \(self.program)") }
      return try wait(process, terminal: -1)
    }
  }

  /// Runs to the end and interferes with one system call.
  func run(with injection: inout gs_campaign_injection) throws -> Ending {
    var changed = injection
    let ending = try withDescriptors { program in
      var ending = gs_campaign_ending()
      guard gs_campaign_trace(&program, wallMilliseconds, &changed, &ending) == 0 else {
        throw CampaignError(message: "cannot watch the calls of \(self.program)")
      }
      return (ending, [])
    }
    injection = changed
    return ending
  }

  /// Runs at a terminal of its own, whose user types the input.
  func runAtTerminal(columns: Int32 = 100) throws -> Ending {
    var user: Int32 = -1
    var side: Int32 = -1
    guard gs_campaign_open_terminal(columns, 30, &user, &side) == 0 else {
      throw CampaignError(message: "cannot open a terminal")
    }
    defer { close(user) }
    _ = input.withUnsafeBytes { write(user, $0.baseAddress, $0.count) }
    let (ending, output) = try withProgram { program in
      program.input = side
      program.output = side
      program.errors = side
      program.has_terminal = 1
      let process = gs_campaign_start(&program)
      close(side)
      guard process > 0 else { throw CampaignError(message: "cannot start \(self.program)") }
      return try wait(process, terminal: user)
    }
    return summary(of: ending, output: output, errors: output)
  }

  /// Starts several runs at once and waits for all of them.
  static func runTogether(_ runs: [CommandRun]) throws -> [Ending] {
    var started: [(CommandRun, pid_t, [Int32])] = []
    for run in runs {
      let files = [memory(run.input), memory([]), memory([])]
      let process = run.withProgram { program in
        (program.input, program.output, program.errors) = (files[0], files[1], files[2])
        return gs_campaign_start(&program)
      }
      guard process > 0 else { throw CampaignError(message: "cannot start \(run.program)") }
      started.append((run, process, files))
    }
    return try started.map { run, process, files in
      let (ending, _) = try run.wait(process, terminal: -1)
      defer { for file in files { close(file) } }
      return run.summary(of: ending, output: contents(of: files[1]), errors: contents(of: files[2]))
    }
  }

  private func wait(_ process: pid_t, terminal: Int32) throws -> (gs_campaign_ending, [UInt8]) {
    var ending = gs_campaign_ending()
    var written: [UInt8] = []
    let result = withUnsafeMutablePointer(to: &written) { written in
      gs_campaign_wait(
        process, wallMilliseconds, terminal, written,
        { context, bytes, count in
          context?.assumingMemoryBound(to: [UInt8].self).pointee += UnsafeRawBufferPointer(
            start: bytes, count: count)
        }, &ending)
    }
    guard result == 0 else { throw CampaignError(message: "cannot wait for a process") }
    return (ending, written)
  }

  private func withDescriptors(
    _ body: (inout gs_campaign_program) throws -> (gs_campaign_ending, [UInt8])
  ) throws -> Ending {
    let files = [Self.memory(input), Self.memory([]), Self.memory([])]
    defer { for file in files { close(file) } }
    let (ending, _) = try withProgram { program in
      (program.input, program.output, program.errors) = (files[0], files[1], files[2])
      return try body(&program)
    }
    return summary(
      of: ending, output: Self.contents(of: files[1]), errors: Self.contents(of: files[2]))
  }

  private func withProgram<Result>(_ body: (inout gs_campaign_program) throws -> Result) rethrows -> Result {
    var arguments = ([program] + self.arguments).map { strdup($0) } + [nil]
    var environment = self.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    return try program.withCString { path in
      try folder.withCString { folder in
        try arguments.withUnsafeMutableBufferPointer { arguments in
          try environment.withUnsafeMutableBufferPointer { environment in
            var program = gs_campaign_program()
            program.program = path
            program.folder = folder
            program.arguments = UnsafePointer(arguments.baseAddress)
            program.environment = UnsafePointer(environment.baseAddress)
            program.address_space = addressSpace
            program.processor_seconds = processorSeconds
            program.file_size = 1 << 30
            return try body(&program)
          }
        }
      }
    }
  }

  private func summary(of ending: gs_campaign_ending, output: [UInt8], errors: [UInt8]) -> Ending {
    let signal = ending.status & 0x7F
    return Ending(
      code: signal == 0 ? (ending.status >> 8) & 0xFF : 128 + signal, signal: signal == 0 ? nil : signal,
      hasTimedOut: ending.timed_out != 0, processorMilliseconds: Int(ending.processor_milliseconds),
      memoryKilobytes: Int(ending.memory_kilobytes), output: output, errors: errors, commandLine: commandLine)
  }

  /// A file that has no name, for a stream of the program: it holds any amount, so that neither side waits.
  private static func memory(_ bytes: [UInt8]) -> Int32 {
    let file = gs_campaign_memory_file()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    return file
  }

  private static func contents(of file: Int32) -> [UInt8] {
    let size = Int(lseek(file, 0, SEEK_END))
    guard size > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(size, 64 << 20))
    let count = pread(file, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }
}
