import Testing

@testable import GraphStoreModel

@Suite("Every fault of a model file")
struct ModelFaultTests {
  /// An entry of the table.
  struct Fault: Sendable, CustomTestStringConvertible {
    var rule: String
    var json = ""
    var expected: [String] = []

    var testDescription: String { "\(rule): \(expected.first ?? "")" }
  }

  static let faults: [Fault] = {
    var faults: [Fault] = []
    for line in modelFaultTable.split(separator: "\n").map(String.init) {
      if line.hasPrefix("MDL-") {
        faults.append(Fault(rule: line))
      } else if faults[faults.count - 1].json.isEmpty {
        faults[faults.count - 1].json = line
      } else {
        faults[faults.count - 1].expected.append(line)
      }
    }
    return faults
  }()

  @Test("MDL-381, MDL-383: code, path, place, sentence and remedy of each fault", arguments: faults)
  func fault(_ fault: Fault) {
    #expect(problems(fault.json).map(\.description) == fault.expected, "\(fault.rule)")
  }

  @Test("MDL-381: the table has every code that a single file of JSON can have")
  func complete() {
    let elsewhere: Set<ModelProblem.Code> = [.notFound, .unreadable, .badVersion, .mergeClash]
    for code in ModelProblem.Code.allCases where !elsewhere.contains(code) {
      #expect(
        Self.faults.contains { $0.expected.contains { $0.contains(" \(code.rawValue): ") } },
        "\(code.rawValue)")
    }
  }
}
