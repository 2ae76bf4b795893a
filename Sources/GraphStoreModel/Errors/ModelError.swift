import Foundation

/// A model or mapping that cannot be used, with everything that is wrong with it.
///
/// Problems are in document order. A syntax error is reported alone, since nothing after it can be trusted.
///
/// ```swift
/// do {
///   print(try ManagedObjectModel(contentsOf: "Company.graphmodel.json").entities.count, "entities")
/// } catch {
///   for problem in error.problems { print(problem.line ?? 0, problem.path, problem.message) }
/// }
/// ```
public struct ModelError: Error, Hashable, Sendable {
  /// The problems; never empty.
  public let problems: [ModelProblem]
  /// The file it was read from, nil for a model or mapping made in code.
  public internal(set) var file: String?

  /// Makes an error of problems that are already in document order.
  public init(_ problems: [ModelProblem], file: String? = nil) {
    self.problems = problems
    self.file = file
  }

  /// The stable code of the first problem.
  public var code: String { problems.first?.code.rawValue ?? ModelProblem.Code.unreadable.rawValue }

  /// The number that belongs to the code: 260 for a missing file, 136003 for a clash of merged models, else
  /// 136002.
  public var number: Int {
    switch problems.first?.code {
    case .notFound, .mappingNotFound: 260
    case .mergeClash: 136_003
    default: 136_002
    }
  }
}

extension ModelError: CustomStringConvertible {
  /// One line a problem, each with the file where there is one.
  public var description: String {
    problems.map { (($0.file ?? file).map { "\($0):" } ?? "") + $0.briefDescription }.joined(separator: "\n")
  }
}

extension ModelError: LocalizedError {
  /// The error as ``description`` has it.
  public var errorDescription: String? { description }
}
