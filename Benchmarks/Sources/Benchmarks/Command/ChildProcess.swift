import Foundation

/// Runs a program to its end with as little around it as possible, so that a few milliseconds can be
/// measured.
struct ChildProcess {
  let executable: String
  let arguments: [String]
  let output: String

  /// The exit status, and the most memory that the process held, in bytes, when that was watched.
  struct Ending {
    var status: Int32
    var peakBytes: Int?
  }

  /// Watching memory costs time: a run that watches is not one to be measured.
  func run(watchingMemory: Bool = false) throws -> Ending {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, output + ".err", O_WRONLY | O_CREAT | O_TRUNC, 0o600)

    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)

    var identifier = pid_t()
    let code = posix_spawnp(&identifier, executable, &actions, nil, words, environ)
    guard code == 0 else {
      throw BenchmarkError("cannot start \(executable): \(String(cString: strerror(code)))")
    }
    var status: Int32 = 0
    var peakBytes: Int?
    while true {
      // What the kernel tells at the end (`ru_maxrss`) would count this process's own memory too.
      if watchingMemory { peakBytes = Self.peakBytes(of: identifier) ?? peakBytes }
      let ended = waitpid(identifier, &status, watchingMemory ? WNOHANG : 0)
      if ended == identifier { break }
      guard ended == 0 || errno == EINTR else { throw BenchmarkError("lost \(executable)") }
    }
    let exited = status & 0x7f == 0
    return Ending(status: exited ? (status >> 8) & 0xff : 128 + (status & 0x7f), peakBytes: peakBytes)
  }

  private static func peakBytes(of identifier: pid_t) -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8) else {
      return nil
    }
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// Runs and throws what the program said when it fails.
  @discardableResult
  func runChecked(watchingMemory: Bool = false) throws -> Ending {
    let ending = try run(watchingMemory: watchingMemory)
    guard ending.status == 0 else {
      let message = (try? String(contentsOfFile: output + ".err", encoding: .utf8)) ?? ""
      let line = ([executable] + arguments).joined(separator: " ")
      throw BenchmarkError("\(line): exit \(ending.status)\n\(message.prefix(2000))")
    }
    return ending
  }
}
