import GraphStore

/// Type of a column as it is declared, mapped to a type of attributes where the values are such.
enum DeclaredType {
  /// The choice for a column.
  static func choice(_ declared: String, _ survey: FieldSurvey) -> TypeChoice {
    var choice = TypeChoice(of: survey)
    guard !declared.isEmpty else {
      choice.reason += ", without a declared type"
      return choice
    }
    guard let wanted = type(of: declared, survey) else {
      choice.reason = "declared \(declared), which tells nothing; \(choice.reason)"
      return choice
    }
    if let type = fitting(wanted, survey) {
      choice.reason = type == wanted ? "declared \(declared)" : "declared \(declared); \(choice.reason)"
      choice.type = type
      choice.remarks = []
    } else {
      choice.reason = "declared \(declared), but not all values are such; \(choice.reason)"
    }
    return choice
  }

  /// The type that a declaration means.
  private static func type(of declared: String, _ survey: FieldSurvey) -> AttributeType? {
    let word = String(declared.prefix { $0.isLetter || $0.isNumber })
    switch word {
    case "SMALLINT", "TINYINT", "INT2", "INT1", "SHORT": return .int16
    case "MEDIUMINT", "INT4", "INT32": return .int32
    case "UUID", "GUID", "UNIQUEIDENTIFIER": return .uuid
    case "URL", "URI": return .uri
    case "BIT", "LOGICAL": return .boolean
    case "JSON", "JSONB", "XML", "ENUM": return .string
    default: break
    }
    let parts: [(String, AttributeType)] = [
      ("BOOL", .boolean), ("INT", .int64), ("SERIAL", .int64), ("LONG", .int64), ("DATE", .date),
      ("TIME", .date),
      ("CHAR", .string), ("CLOB", .string), ("TEXT", .string), ("STRING", .string), ("BLOB", .binary),
      ("BINARY", .binary), ("BYTEA", .binary), ("REAL", .double), ("DOUB", .double), ("FLOA", .double),
      ("DEC", .decimal), ("NUMERIC", .decimal), ("NUMBER", .decimal), ("MONEY", .decimal),
      ("CURRENCY", .decimal),
    ]
    return parts.first { declared.contains($0.0) }?.1
  }

  /// The type that all values have where the declared one is meant; nil where some have not.
  private static func fitting(_ wanted: AttributeType, _ survey: FieldSurvey) -> AttributeType? {
    let classes = survey.classes
    guard survey.values > 0 else { return wanted }
    switch wanted {
    case .int16, .int32, .int64:
      guard classes == [.integer], let range = survey.range, let limits = wanted.integerRange else {
        return nil
      }
      return limits.contains(range.lowerBound) && limits.contains(range.upperBound) ? wanted : .int64
    case .boolean:
      if classes == [.integer], let range = survey.range, range.lowerBound >= 0, range.upperBound <= 1 {
        return .boolean
      }
      return classes == [.boolean] ? .boolean : nil
    case .decimal:
      guard classes.allSatisfy(\.isNumber) else { return nil }
      return survey.hasExponents ? .double : .decimal
    case .double: return classes.allSatisfy(\.isNumber) ? .double : nil
    case .date: return classes == [.date] ? .date : nil
    case .uuid: return classes == [.uuid] || (classes == [.data] && survey.isOfSixteenBytes) ? .uuid : nil
    case .uri: return classes == [.uri] ? .uri : nil
    case .string:
      // SQLite has no type of its own for these.
      if classes == [.date] { return .date }
      if classes == [.uuid] { return .uuid }
      if classes == [.uri] { return .uri }
      return classes.contains(.data) ? nil : .string
    case .binary: return .binary
    default: return wanted
    }
  }
}
