import Foundation
import Testing

/// Waits for a condition, as long as something may take that has to be quick.
func expectSoon(_ condition: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation)
  rethrows
{
  let deadline = ContinuousClock.now + .seconds(10)
  while ContinuousClock.now < deadline {
    if try condition() { return }
    Thread.sleep(forTimeInterval: 0.005)
  }
  Issue.record("it did not happen", sourceLocation: sourceLocation)
}
