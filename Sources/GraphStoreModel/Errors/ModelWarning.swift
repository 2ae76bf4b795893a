import Foundation
import Synchronization

/// Warning channel for problems of a model that stop nothing, such as a strings file that cannot be read or a
/// class that is not registered.
///
/// ```swift
/// ModelWarning.handler = { problem in print(problem.path, problem.message) }
/// let model = try ManagedObjectModel(contentsOf: "Company.graphmodel.json")
/// ```
public enum ModelWarning {
  private static let receiver = Mutex<(@Sendable (ModelProblem) -> Void)?>(nil)

  /// The receiver of warnings; nil writes each as a line to standard error. Called on the thread that found
  /// the problem.
  public static var handler: (@Sendable (ModelProblem) -> Void)? {
    get { receiver.withLock { $0 } }
    set { receiver.withLock { $0 = newValue } }
  }

  package static func post(_ finding: ModelProblem) {
    if let handler {
      handler(finding)
    } else {
      try? FileHandle.standardError.write(contentsOf: Data("\(finding)\n".utf8))
    }
  }
}
