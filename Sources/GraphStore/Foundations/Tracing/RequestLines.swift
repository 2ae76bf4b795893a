import Dispatch
import Foundation
import GraphStoreFiles
import GraphStoreSQLite
import Synchronization

/// Lines of the SQL log that the present request of one thread has given.
///
/// They are written together when the outermost request ends, so that lines of several threads do not mix
/// (DGN-011); earlier where they are many, or a second old. Outside of any request each is written at once.
@safe final class RequestLines: @unchecked Sendable {
  private struct Unwritten {
    var lines: [DiagnosticLine] = []
    var size = 0
    /// Whether a clock runs that writes them.
    var isTimed = false
  }

  /// A statement that may run again: its line stands for all runs that follow each other.
  private struct Repetition {
    let text: String
    let source: ObjectIdentifier
    var runs = 1
    var rows = 0
  }

  private static let largestSize = 65_536
  private static let longestTime = DispatchTimeInterval.seconds(1)
  private static let key = "GraphStore.RequestLines"
  /// Held while lines are written.
  private static let turn = Mutex(())

  /// The lines of the calling thread.
  static var current: RequestLines {
    let own = Thread.current.threadDictionary
    if let known = own[key] as? RequestLines { return known }
    let made = RequestLines()
    own[key] = made
    return made
  }

  private let unwritten = Mutex(Unwritten())
  // The rest belongs to the thread.
  private var depth = 0
  private var repetition: Repetition?
  private var isWriting = false
  /// The texts that stand once in a request.
  private var uniqueTexts: Set<String> = []
  private var countAtBeginning = 0
  /// The number of statements that the thread has begun while the log was on.
  private(set) var statementCount = 0
  /// The identifier of the store that ran the last statement.
  private(set) var storeIdentifier: String?

  private init() {}

  // MARK: Requests

  func begin() {
    if depth == 0 {
      countAtBeginning = statementCount
      uniqueTexts = []
    }
    depth += 1
  }

  func end() {
    depth -= 1
    guard depth == 0 else { return }
    endRepetition()
    write()
  }

  // MARK: Lines

  /// Adds the line of a statement that begins.
  ///
  /// - Parameters:
  ///   - isRepeatable: Whether its line stands for further runs too that follow at once.
  ///   - source: Whose statement it is.
  func addStatement(_ text: String, isRepeatable: Bool, of source: AnyObject, in store: String?) {
    statementCount += 1
    storeIdentifier = store
    if isRepeatable, depth > 0, let last = repetition, last.text == text,
      last.source == ObjectIdentifier(source)
    {
      repetition?.runs += 1
      return
    }
    add(.sql, text, level: 1)
    if isRepeatable, depth > 0 { repetition = Repetition(text: text, source: ObjectIdentifier(source)) }
  }

  /// Counts rows that a statement has changed which may run again.
  func countRows(_ rows: Int, of text: String) {
    if repetition?.text == text { repetition?.rows += rows }
  }

  /// Adds an annotation of the request.
  func add(annotation text: String, level: Int = 1) { add(.annotation, text, level: level) }

  /// Adds an annotation that stands once in a request, whatever number of its statements it is about.
  func add(uniqueAnnotation text: String) {
    guard depth > 0, statementCount > countAtBeginning, uniqueTexts.insert(text).inserted else { return }
    add(annotation: text)
  }

  /// Adds a line behind which a statement cannot be repeated any more.
  func add(_ category: DiagnosticLine.Category, _ text: String, level: Int) {
    add(category, text, level: level, in: storeIdentifier)
  }

  /// Adds a line about a store.
  func add(_ category: DiagnosticLine.Category, _ text: String, level: Int, in store: String?) {
    endRepetition()
    append(DiagnosticLine(category, text, level: level, storeIdentifier: store))
  }

  /// Adds a line about the last statement.
  func add(detail text: String, level: Int) {
    append(DiagnosticLine(.details, text, level: level, storeIdentifier: storeIdentifier))
  }

  private func endRepetition() {
    guard let ended = repetition else { return }
    repetition = nil
    let rows = max(ended.runs, ended.rows)
    if rows > 1 { add(annotation: "repeated for \(rows) rows") }
  }

  // MARK: Writing

  private func append(_ line: DiagnosticLine) {
    let (isLarge, isUntimed) = unwritten.withLock { unwritten in
      unwritten.lines.append(line)
      unwritten.size += line.text.utf8.count
      let isUntimed = depth > 0 && !unwritten.isTimed
      if isUntimed { unwritten.isTimed = true }
      return (unwritten.size >= Self.largestSize, isUntimed)
    }
    if isUntimed { writeLater() }
    if depth == 0 || isLarge { write() }
  }

  /// Without descriptors, which its clock needs, Dispatch would end the process.
  private func writeLater() {
    guard DescriptorRoom.isThere(for: 4) else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.longestTime) {
      self.unwritten.withLock { $0.isTimed = false }
      self.write()
    }
  }

  /// Writes the lines in the turn of the calling thread. What a receiver of lines does itself on its thread
  /// is written with the lines that come next.
  private func write() {
    let writer = Self.current
    if writer.isWriting { return }
    writer.isWriting = true
    defer { writer.isWriting = false }
    Self.turn.withLock { _ in
      let lines = unwritten.withLock { unwritten in
        defer { (unwritten.lines, unwritten.size) = ([], 0) }
        return unwritten.lines
      }
      if !lines.isEmpty { DiagnosticLog.write(lines) }
    }
  }
}
