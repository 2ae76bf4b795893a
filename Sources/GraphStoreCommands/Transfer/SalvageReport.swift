import GraphStore
import GraphStoreReports

/// Report of what a damaged store has lost, as warnings.
struct SalvageReport {
  /// The most ranges of ids that are told of one tree.
  private static let mostRanges = 20

  private let losses: SalvageLosses

  init(_ losses: SalvageLosses) { self.losses = losses }

  func tell(_ session: CommandSession) {
    for records in losses.records { session.report(Self.warning(of: records)) }
    for values in losses.values { session.report(Self.warning(of: values)) }
  }

  private static func warning(of records: SalvageLosses.Records) -> Diagnostic {
    let name = records.entityName
    let ranges = records.keys.prefix(mostRanges).map { range in
      range.count == 1 ? "\(name)/p\(range.lowerBound)" : "\(name)/p\(range.lowerBound)–p\(range.upperBound)"
    }
    let more = records.keys.count > mostRanges ? [" … (\(records.keys.count - mostRanges) more ranges)"] : []
    let count = records.count == 1 ? "1 id" : "\(Int(records.count).grouped) ids"
    return Diagnostic(
      .warning, code: "records-lost",
      message: "\(count) of \(name) cannot be read, whether or not there were objects of all of them",
      details: ranges + more, exitCode: .partial)
  }

  private static func warning(of values: SalvageLosses.Values) -> Diagnostic {
    let more = values.count > values.examples.count ? ", …" : ""
    return Diagnostic(
      .warning, code: "values-lost",
      message: "\(values.property) of \(values.count.counted("object")) cannot be read",
      details: [values.examples.joined(separator: ", ") + more], exitCode: .partial)
  }
}
