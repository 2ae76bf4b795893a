import Foundation

/// Output format of results.
package enum OutputFormat: String, Sendable, CaseIterable {
  /// Aligned columns; boxed on a terminal.
  case table
  /// One array of objects, streamed.
  case json
  /// One JSON object a line.
  case ndjson
  /// Comma-separated values (RFC 4180).
  case csv
  /// Tab-separated values with backslash escapes.
  case tsv
  /// A GitHub-flavoured Markdown table.
  case markdown
  /// A table in HTML, without a page around it.
  case html
  /// One field a line, a blank line between objects.
  case line
  /// One object id a line.
  case ids

  /// Whether records are JSON objects.
  package var isJSON: Bool { self == .json || self == .ndjson }

  /// Whether each record names its keys, so that records may have different ones.
  package var namesKeysOfRecords: Bool { isJSON || self == .line }

  /// Whether the records are rows under one line of names, which a file has for one entity.
  package var isTableOfRecords: Bool { self == .csv || self == .tsv || self == .markdown || self == .html }

  /// The ending of names of files in the format.
  package var fileExtension: String { self == .markdown ? "md" : rawValue }

  /// The format that a file's name asks for by its ending, before `.gz` too, if there is one.
  package init?(path: String) {
    switch FileEnding.of(FileEnding.withoutGzip(path)) {
    case "txt": self = .table
    case "html", "htm": self = .html
    case "json": self = .json
    case "ndjson", "jsonl": self = .ndjson
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "md", "markdown": self = .markdown
    default: return nil
    }
  }
}

extension OutputFormat {
  /// The ending of a file's name that stands for a form of other programs, with its dot; nil for one that
  /// stands for none.
  package static func foreignEnding(of path: String) -> String? {
    guard OutputFormat(path: path) == nil, let ending = FileEnding.of(FileEnding.withoutGzip(path)),
      foreignEndings.contains(ending)
    else { return nil }
    return "." + ending
  }

  private static let foreignEndings: Set<String> = [
    "arrow", "avro", "bz2", "db", "doc", "docx", "ods", "orc", "parquet", "pdf", "plist", "rtf", "sql",
    "sqlite", "toml", "xls", "xlsx", "xml", "xz", "yaml", "yml", "zip", "zst",
  ]
}

extension OutputFormat {
  /// Why a text cannot stand for a missing value, as the rest of a sentence; nil where it can.
  ///
  /// It stands without quotes and escapes, which tell it from a value.
  package func problem(ofNull text: String) -> String? {
    let separators: [UInt8] =
      switch self {
      case .csv: [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D]
      case .tsv: [0x09, 0x0A, 0x0D]
      default: []
      }
    return text.utf8.contains(where: separators.contains)
      ? "takes a text that is one cell of \(rawValue), not '\(VisibleText.escape(text))'" : nil
  }
}

/// Ending of a file's name.
package enum FileEnding {
  /// The letters behind the last dot, in lower case; nil where there is none.
  package static func of(_ path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex, name.index(after: dot) != name.endIndex
    else {
      return nil
    }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Whether a file of that name is written with gzip.
  package static func isGzip(_ path: String) -> Bool { of(path) == "gz" }

  /// The name of what a compressed file holds: without its ending `.gz`.
  package static func withoutGzip(_ path: String) -> String {
    isGzip(path) ? String(path.dropLast(3)) : path
  }
}
