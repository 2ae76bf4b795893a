import Testing

@testable import GraphStore

/// Random changes in families of contexts against a dictionary of overrides for each.
@Suite(.everyStore)
struct RandomFamilyTests {
  @Test(
    "CTX-285 to CTX-308, FET-037, FLT-048, REL-182: contexts of random families show what a model of overrides says",
    arguments: TestSeed.sequence(5))
  func agreement(_ seed: TestSeed) throws {
    var family = try RandomFamily(seed)
    var past: [String] = []
    for step in 0..<120 {
      do { past.append(try family.step()) } catch {
        Issue.record("\(seed), step \(step) after \(past.suffix(12)): \(error)")
        return
      }
      guard family.differences.isEmpty else {
        Issue.record("\(seed), step \(step) (\(past.suffix(12))): \(family.differences.prefix(5))")
        return
      }
    }
    try family.finish()
    if !family.differences.isEmpty { Issue.record("\(seed), at the end: \(family.differences.prefix(5))") }
  }
}
