import GraphStore
import GraphStoreReports

/// Filter of records: prints, counts or keeps those for which a predicate is true.
struct RecordFilter {
  /// What came of it.
  struct Outcome {
    var read = 0
    var matched = 0
    /// Records that are no objects, of which a key was asked: they do not match.
    var strangers = 0
  }

  let expression: PredicateText
  let evaluator: PredicateEvaluator
  /// The order to print in; nil prints as they come.
  var sorter: RecordSorter?
  var isInverted = false
  /// How many to print or count at most.
  var limit: Int?
  /// The input as errors name it.
  let name: String
  let interruption: StatementInterruption

  /// Reads the records of a stream and prints those that match; without a printer they are counted.
  func run(_ stream: JSONRecordStream, _ printer: RecordPrinter?) throws -> Outcome {
    var outcome = Outcome()
    var sorter = printer == nil ? nil : sorter
    let wanted = sorter == nil ? limit ?? .max : .max
    var isAtEnd = false
    while outcome.matched < wanted {
      guard try stream.next() else {
        isAtEnd = true
        break
      }
      outcome.read += 1
      if outcome.read & 255 == 0 { try interruption.check() }
      printer?.record(gap: stream.gap, number: outcome.read)
      let operand = stream.record.operand
      let matches = try evaluated(stream) { try self.matches(operand, &outcome) }
      guard matches != isInverted else { continue }
      outcome.matched += 1
      guard let printer else { continue }
      if sorter != nil {
        try evaluated(stream) { try unsafe sorter?.add(operand, stream.bytes) }
      } else {
        unsafe printer.print(stream.bytes)
        if let failure = printer.output.failure { throw failure }
      }
    }
    try unsafe sorter?.forEach(limit: limit) { record in
      unsafe printer?.print(record)
      if let failure = printer?.output.failure { throw failure }
    }
    if let limit { outcome.matched = min(outcome.matched, limit) }
    printer?.end(gap: isAtEnd ? stream.gap : nil)
    return outcome
  }

  /// Whether a record matches. One that is no object has no keys, so that a predicate of keys does not hold
  /// for it.
  private func matches(_ operand: QueryOperand, _ outcome: inout Outcome) throws -> Bool {
    do {
      return try evaluator.evaluate(operand)
    } catch let error as QueryPredicateError where error.code == .unknownKey && !operand.isObject {
      outcome.strangers += 1
      return false
    }
  }

  /// Runs something over the record of a stream; its errors get the record's place.
  private func evaluated<Result>(_ stream: JSONRecordStream, _ body: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try body()
    } catch {
      var diagnostic = DiagnosticMapper.diagnostic(
        for: (error as? QueryPredicateError).map { PredicateText.error($0, expression.text) } ?? error)
      let place = stream.position(of: stream.record.extent.lowerBound)
      diagnostic.location = Diagnostic.Location(file: name, line: place.line)
      diagnostic.source?.isInFile = false
      diagnostic.exitCode = .dataError
      throw diagnostic
    }
    if let problem = stream.record.problem {
      let place = stream.position(of: problem.offset)
      throw Diagnostic(
        code: problem.code, message: problem.message,
        location: Diagnostic.Location(file: name, line: place.line, column: place.column),
        exitCode: .dataError)
    }
    return result
  }
}

extension QueryOperand {
  /// Whether it is an object, which has keys.
  var isObject: Bool {
    switch self {
    case .source, .value(.dictionary): true
    default: false
    }
  }
}
