/// The text of a JSON model file, for changes that leave the rest of it as it was written.
package struct ModelFileText: Sendable {
  private let bytes: [UInt8]

  /// Wraps the text of a file that was read before without a problem.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The text with another `version`; as it is where it has none.
  package func settingVersion(to name: String) -> [UInt8] {
    guard let root = try? JSONParser.parse(bytes), case .object(let members) = root.content,
      let member = members.first(where: { $0.key == "version" }), case .string = member.value.content,
      let end = endOfString(from: member.value.offset)
    else { return bytes }
    return Array(bytes[..<member.value.offset]) + Array(JSONWriter.quoted(name).utf8) + bytes[end...]
  }

  private func endOfString(from start: Int) -> Int? {
    var place = start + 1
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return place < bytes.count ? place + 1 : nil
  }
}
