import GraphStore

/// The keys of objects with one member that stand for values JSON lacks: `{"$date": "2024-05-01"}`.
enum ValueTag: String, CaseIterable {
  case date = "$date"
  case data = "$data"
  case uuid = "$uuid"
  case url = "$url"
  case decimal = "$decimal"
  case set = "$set"
  case orderedSet = "$orderedset"

  /// What the text inside is cast to; nil for the tags of arrays.
  var castType: QueryCastType? {
    switch self {
    case .date: .date
    case .data: .data
    case .uuid: .uuid
    case .url: .uri
    case .decimal: .decimal
    case .set, .orderedSet: nil
    }
  }

  /// What has to stand inside.
  var content: String {
    switch self {
    case .date: "a date in ISO 8601, such as \"2024-05-01\" or \"2024-05-01T12:00:00Z\""
    case .data: "bytes in base64"
    case .uuid: "a UUID such as \"6BA7B810-9DAD-11D1-80B4-00C04FD430C8\""
    case .url: "a URL"
    case .decimal: "a decimal number as text, such as \"12.50\""
    case .set, .orderedSet: "an array"
    }
  }
}
