/// Quoting of words in lines that are to be typed into the system's shell.
enum ShellQuoting {
  /// A word as it is typed: in single quotes where the shell would take it apart.
  static func word(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x80 || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./:#=@%+,".utf8.contains(byte)
    }
    if isPlain, !text.isEmpty, !text.hasPrefix("#") { return text }
    return "'\(text.replacing("'", with: #"'\''"#))'"
  }
}
