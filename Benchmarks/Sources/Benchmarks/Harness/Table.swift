import Foundation

/// Prints measurements as aligned columns: each contender's median, how many times the floor that is, and
/// how many times its time the project takes.
struct Table {
  private let widths = [5, 40, 10, 10, 9, 11, 9]

  func printHeader() {
    printLine(["id", "contender", "median", "fastest", "÷ floor", "project ÷", "memory"])
    print(String(repeating: "-", count: widths.reduce(0, +) + 2 * (widths.count - 1)))
  }

  func printRows(of workload: Workload, _ measurements: [Measurement]) {
    let floor = measurements.first { $0.side == .floor }?.median
    let project = measurements.first { $0.side == .project }?.median
    printLine([workload.id, workload.title])
    for measurement in measurements {
      printLine([
        "", "  " + measurement.name, text(measurement.median, workload.unit),
        text(measurement.fastest, workload.unit),
        measurement.side == .floor ? "" : ratio(measurement.median, floor),
        measurement.side == .project ? "" : ratio(project, measurement.median),
        measurement.peakBytes.map { String(format: "%.1f MB", Double($0) / 1_048_576) } ?? "",
      ])
    }
    if let rows = workload.rows, let project {
      printLine([
        "", String(format: "  GraphStore: %.2f million rows a second", Double(rows) / project / 1e6),
      ])
    }
    printLine(["", "  goal: " + workload.goal])
    print()
  }

  private func text(_ amount: Double, _ unit: Workload.Unit) -> String {
    unit == .bytes ? String(format: "%.0f B", amount) : time(amount)
  }

  private func time(_ seconds: Double) -> String {
    seconds < 0.1 ? String(format: "%.2f ms", seconds * 1000) : String(format: "%.3f s", seconds)
  }

  private func ratio(_ above: Double?, _ below: Double?) -> String {
    guard let above, let below else { return "" }
    return String(format: "%.2f ×", above / below)
  }

  private func printLine(_ cells: [String]) {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, widths[index] - cell.count))
      if index > 0 { line += "  " }
      line += index < 2 ? cell + padding : padding + cell
    }
    while line.last == " " { line.removeLast() }
    print(line)
  }
}
