import Testing

@testable import GraphStoreModel

@Suite("Every problem of a model file")
struct ModelProblemTests {
  /// An entry of the table.
  struct Sample: Sendable, CustomTestStringConvertible {
    var rule: String
    var json = ""
    var expected: [String] = []

    var testDescription: String { "\(rule): \(expected.first ?? "")" }
  }

  static let samples: [Sample] = {
    var samples: [Sample] = []
    for line in modelProblemTable.split(separator: "\n").map(String.init) {
      if line.hasPrefix("MDL-") {
        samples.append(Sample(rule: line))
      } else if samples[samples.count - 1].json.isEmpty {
        samples[samples.count - 1].json = line
      } else {
        samples[samples.count - 1].expected.append(line)
      }
    }
    return samples
  }()

  @Test("MDL-381, MDL-383: code, path, place, sentence and remedy of each problem", arguments: samples)
  func problem(_ sample: Sample) {
    #expect(problems(sample.json).map(\.briefDescription) == sample.expected, "\(sample.rule)")
  }

  @Test("MDL-381: the table has every code that a single file of JSON can have")
  func complete() {
    let elsewhere: Set<ModelProblem.Code> = [.notFound, .unreadable, .badVersion, .mergeClash]
    for code in ModelProblem.Code.errors where !elsewhere.contains(code) {
      #expect(
        Self.samples.contains { $0.expected.contains { $0.contains(" \(code.rawValue): ") } },
        "\(code.rawValue)")
    }
  }
}
