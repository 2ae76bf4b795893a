import Foundation

/// What a person types behind a question.
enum Answer {
  /// Waits for a line of standard input, without its newline; nil at the end of the input.
  ///
  /// - Throws: `interrupted`, once somebody asks for it.
  static func read(_ interruption: Interruption) throws -> String? {
    var line: [UInt8] = []
    while true {
      var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      // The signal may have reached another thread, so that nothing ends the wait but the clock.
      let count = unsafe poll(&waiting, 1, 50)
      try interruption.check()
      if count == 0 || (count < 0 && errno == EINTR) { continue }
      var byte: UInt8 = 0
      let got = unsafe Foundation.read(STDIN_FILENO, &byte, 1)
      if got < 0 && errno == EINTR { continue }
      if got <= 0 { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }
}
