#if PostgreSQL
/// Lists of constants as the text of one array, whatever their number.
enum PostgreSQLArray {
  /// The text of an array of texts, each written with quotes.
  static func text(_ members: [String]) -> String {
    var text = "{"
    for (index, member) in members.enumerated() {
      text += index == 0 ? "\"" : ",\""
      for scalar in member.unicodeScalars {
        if scalar == "\"" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
      text += "\""
    }
    return text + "}"
  }

  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
#endif
