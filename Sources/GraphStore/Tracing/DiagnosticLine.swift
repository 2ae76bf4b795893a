import Foundation

/// A line of what the library tells beside what it throws (DGN-009).
public struct DiagnosticLine: Hashable, Sendable {
  /// What a line is about.
  public enum Category: String, Hashable, Sendable {
    /// An event of a trace.
    case trace
    /// Something that could not be done as it was asked for, and stops nothing.
    case warning
  }

  /// What it is about.
  public let category: Category
  /// The line without its head, in one line.
  public let text: String
  /// When it was told.
  public let date: Date

  init(_ category: Category, _ text: String, date: Date = Date()) {
    self.category = category
    self.text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.date = date
  }
}

extension DiagnosticLine: CustomStringConvertible {
  /// The line as it is written (DGN-010).
  public var description: String { "GraphStore: \(category.rawValue): \(text)" }
}
