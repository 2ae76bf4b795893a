/// Bound values as readable text (DGN-044, DGN-045).
struct SQLiteBindingText {
  static let longest = 200
  private var lists: Set<SQLBinding> = []

  init(_ select: SQLSelect) {
    var found: Set<SQLBinding> = []
    select.visit { part in
      if case .isMember(_, let list) = part, case .binding(let binding) = list.value { found.insert(binding) }
    }
    lists = found
  }

  func text(_ binding: SQLBinding) -> String {
    switch binding {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .double(let value), .timestamp(let value): "\(value)"
    case .blob(let bytes): "\(bytes.count) bytes"
    case .text(let value) where lists.contains(binding): list(value)
    case .text(let value): Self.quoted(value)
    }
  }

  /// A text in quotes, cut where it is long.
  static func quoted(_ text: String) -> String {
    let count = text.count
    let shown = count > longest ? String(text.prefix(longest)) : text
    let literal = "'" + shown.replacing("'", with: "''") + "'"
    return count > longest ? "\(literal)… (\(count) characters)" : literal
  }

  private func list(_ json: String) -> String {
    json.count > Self.longest ? "list of \(Self.count(json)) values" : json
  }

  /// The members of a JSON array.
  static func count(_ json: String) -> Int {
    var depth = 0
    var commas = 0
    var isText = false
    var isEscaped = false
    for byte in json.utf8 {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isText = true
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: commas += 1
      default: break
      }
    }
    return commas + 1
  }
}
