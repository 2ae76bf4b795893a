/// Rules of the names of contexts, which stand in the prompt.
enum ContextName {
  private static let longest = 40

  /// The name, as it is.
  ///
  /// - Throws: `wrong-argument` for one that cannot be told from an option or from the rest of the prompt.
  static func checked(_ name: String, wordIndex: Int) throws(ShellError) -> String {
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard isName, !name.isEmpty, !name.hasPrefix("-"), name.utf8.count <= longest else {
      throw ShellError(
        code: .wrongArgument, message: "\"\(name)\" cannot be the name of a context",
        hint: "a name is made of up to \(longest) letters, digits, - _ and . and does not begin with -",
        wordIndex: wordIndex)
    }
    return name
  }
}
