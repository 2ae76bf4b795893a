import Foundation

@testable import GraphStoreCommands

/// The sources of the command, as far as they declare options and read them.
struct OptionSources {
  /// A property with an option's value.
  struct Declaration: Hashable {
    let type: String
    let property: String
    /// The names of the option without dashes, as far as the declaration has them.
    let names: [String]
    let file: String
  }

  /// A property with a group of options.
  struct Group: Hashable {
    let owner: String
    /// What the owner conforms to.
    let protocols: [String]
    let property: String
    let type: String
    let file: String
  }

  private(set) var declarations: [Declaration] = []
  private(set) var groups: [Group] = []
  private var uses: [String: NameUses] = [:]

  /// - Parameter sources: The texts of files by their names.
  init(_ sources: [String: String]) {
    for (file, text) in sources.sorted(by: { $0.key < $1.key }) {
      let text = Self.withoutComments(text)
      declarations += Self.declarations(in: text, file)
      groups += Self.groups(in: text, file)
      uses[file] = NameUses(Self.withoutFastPath(text))
    }
  }

  /// Those of the command.
  static func ofCommand() throws -> OptionSources {
    let root = Repository.root.appendingPathComponent("Sources/GraphStoreCommands")
    var sources: [String: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path)
    where path.hasSuffix(".swift") {
      sources[path] = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }
    return OptionSources(sources)
  }

  /// The options whose values nobody reads: neither the file that declares one, nor another by a value of its
  /// type.
  var unread: [Declaration] {
    declarations.filter { option in
      let isReadAtHome = uses[option.file].map { $0.count(of: option.property) > 0 } ?? false
      return !isReadAtHome
        && !uses.contains { file, uses in
          file != option.file && uses.members[option.property] != nil
            && (uses.count(of: option.type) > 0 || option.type == "SharedOptions")
        }
    }
  }

  /// The groups that neither their owner reads nor a protocol of it that asks for them.
  ///
  /// - Parameter required: The properties that protocols ask for, whose extensions read them.
  func unread(required: [String: Set<String>]) -> [Group] {
    groups.filter { group in
      !uses.contains { file, uses in
        file == group.file
          ? uses.count(of: group.property) > 0
          : uses.members[group.property] != nil && uses.count(of: group.owner) > 0
      } && required[group.property]?.isDisjoint(with: group.protocols) != false
    }
  }

  // MARK: Reading

  private static func withoutComments(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
  }

  /// The text without what fills properties from a plain command line, or clears them.
  private static func withoutFastPath(_ text: String) -> String {
    let heads = ["  static var plain", "  mutating func consume", "  mutating func clearShared"]
    var isLeftOut = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
      if heads.contains(where: line.hasPrefix) {
        isLeftOut = !line.hasSuffix("}")
        return false
      }
      defer { if line.hasPrefix("  }") { isLeftOut = false } }
      return !isLeftOut
    }.joined(separator: "\n")
  }

  private static func declarations(in text: String, _ file: String) -> [Declaration] {
    ["@Option", "@Flag"].flatMap { attribute in
      text.ranges(of: attribute).compactMap { range -> Declaration? in
        let rest = text[range.upperBound...]
        guard rest.first.map({ "( \n".contains($0) }) == true,
          let place = rest.firstRange(of: "var ")
        else {
          return nil
        }
        let property = name(rest[place.upperBound...])
        let words = rest[..<place.lowerBound]
        let names = ["customLong(\"", "customShort(\""].flatMap { head in
          words.ranges(of: head).map { String(words[$0.upperBound...].prefix { $0 != "\"" }) }
        }
        return Declaration(
          type: owner(of: range.lowerBound, in: text).name, property: property,
          names: names.isEmpty ? [kebab(property)] : names, file: file)
      }
    }
  }

  private static func groups(in text: String, _ file: String) -> [Group] {
    text.ranges(of: "@OptionGroup").compactMap { range in
      let rest = text[range.upperBound...]
      guard let place = rest.firstRange(of: "var ") else { return nil }
      let property = name(rest[place.upperBound...])
      let type = rest[place.upperBound...].drop { $0 != ":" }.dropFirst(2)
      let owner = owner(of: range.lowerBound, in: text)
      return Group(
        owner: owner.name, protocols: owner.protocols, property: property, type: name(type),
        file: file)
    }
  }

  private static func name(_ text: Substring) -> String {
    String(text.drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
  }

  private static func owner(of place: String.Index, in text: String) -> (
    name: String, protocols: [String]
  ) {
    guard let start = text[..<place].ranges(of: "\nstruct ").last else { return ("", []) }
    let head = text[start.upperBound...].prefix { $0 != "{" }
    let protocols = head.split(separator: ":").dropFirst().joined().split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespaces) }
    return (name(head), protocols)
  }

  private static func kebab(_ property: String) -> String {
    property.reduce(into: "") { text, character in
      text += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }
}

/// How often names stand in a source file where a value is read: not as a label, not declared, not assigned.
struct NameUses {
  private(set) var names: [String: Int] = [:]
  /// Those behind a dot.
  private(set) var members: [String: Int] = [:]

  func count(of name: String) -> Int { names[name, default: 0] + members[name, default: 0] }

  init(_ text: String) {
    let bytes = Array(text.utf8)
    let delimiter = Array("\"\"\"".utf8)
    /// For each text that is open, how many brackets of an interpolation in it are; nil within the text itself.
    var texts: [Int?] = []
    var last = ""
    var index = 0
    func isPart(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "_") || byte >= 0x80
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
    while index < bytes.count {
      let byte = bytes[index]
      if let open = texts.last, open == nil {
        if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
          if bytes[index + 1] == UInt8(ascii: "(") { texts[texts.count - 1] = 1 }
          index += 1
        } else if byte == UInt8(ascii: "\"") {
          texts.removeLast()
        }
        index += 1
        continue
      }
      if bytes[index...].starts(with: delimiter) {
        // A text of several lines holds no code that matters.
        index = bytes[(index + 3)...].firstRange(of: delimiter)?.upperBound ?? bytes.count
        continue
      }
      if byte == UInt8(ascii: "\"") {
        texts.append(nil)
      } else if let depth = texts.last ?? nil {
        if byte == UInt8(ascii: "(") { texts[texts.count - 1] = depth + 1 }
        if byte == UInt8(ascii: ")") {
          texts[texts.count - 1] = depth == 1 ? nil : depth - 1
        }
      }
      guard isPart(byte) else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, isPart(bytes[index]) { index += 1 }
      let name = String(decoding: bytes[start..<index], as: UTF8.self)
      defer { last = name }
      let before = bytes[..<start].last { $0 != UInt8(ascii: "`") } ?? 0
      let after = bytes[index...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "`") }
        .prefix(2)
      let isLabel = after.first == UInt8(ascii: ":") || last == "var"
      let isAssigned = after.first == UInt8(ascii: "=") && after.last != UInt8(ascii: "=")
      if isLabel || isAssigned { continue }
      if before == UInt8(ascii: ".") {
        members[name, default: 0] += 1
      } else {
        names[name, default: 0] += 1
      }
    }
  }
}
