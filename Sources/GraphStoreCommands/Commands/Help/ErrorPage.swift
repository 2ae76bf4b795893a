import Foundation
import GraphStore
import GraphStoreReports

/// Page of help about one code of errors: what has happened, why, and what to do.
struct ErrorPage {
  let code: String
  let number: Int?
  /// The part of the library that the code is from, as the article divides them.
  let section: String
  /// What the article says of it, without its markup.
  let body: String

  /// `store-not-found (260): exit code 66`, and what the article says.
  var text: String {
    var title = code
    if let number { title += " (\(number))" }
    if let exit = exitCode { title += ": exit code \(exit)" }
    return title + "\n\n" + body
  }

  /// What the command ends with; nil for codes that others have than the library's own errors.
  private var exitCode: Int32? {
    GraphStoreError.Code(rawValue: code).map { DiagnosticMapper.usualExitCode(of: $0).rawValue }
  }

  // MARK: All pages

  static let all: [ErrorPage] = {
    var pages: [ErrorPage] = []
    var section = ""
    for part in ErrorArticle.text.split(separator: /\n(?=##)/) {
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      if let name = lines[0].wholeMatch(of: /## (.*)/)?.1 { section = String(name) }
      guard let heading = lines[0].wholeMatch(of: /### ([a-z-]+)(?: \((\d+)\))?/) else { continue }
      pages.append(
        ErrorPage(
          code: String(heading.1), number: heading.2.flatMap { Int($0) }, section: section,
          body: plain(lines.count > 1 ? String(lines[1]) : "")))
    }
    return pages
  }()

  /// The list of all codes, with their numbers, by section.
  static var list: String {
    var text = "The codes of errors. graphstore help CODE says what each means and what to do."
    var section = ""
    for page in all {
      if page.section != section {
        section = page.section
        text += "\n\n\(section)\n"
      }
      text += "\n  " + page.code
      if let number = page.number {
        text += String(repeating: " ", count: max(1, 34 - page.code.count)) + "\(number)"
      }
    }
    return text
  }

  /// The pages that words ask for: by a code, by a number, or by a phrase under which the trouble is known.
  static func pages(for words: String) -> [ErrorPage] {
    if let page = all.first(where: { $0.code == words }) { return [page] }
    if let number = Int(words) { return all.filter { $0.number == number } }
    guard words.count >= 8 else { return [] }
    let phrase = folded(words)
    return all.filter { folded($0.body).contains(phrase) }
  }

  /// A text as phrases are looked for in it: in small letters, with single blanks.
  private static func folded(_ text: String) -> String {
    text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The text of the article without the markup of its links.
  private static func plain(_ text: String) -> String {
    text.trimmingCharacters(in: .newlines)
      .replacing(/``(?:\/GraphStore[A-Za-z]*\/)?([^`]*)``/) { $0.1.replacing("/", with: ".") }
      .replacing(/<doc:([A-Za-z]*)>/) { "the page \($0.1)" }
  }
}
