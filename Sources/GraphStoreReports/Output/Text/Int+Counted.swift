import GraphStore

extension Int {
  /// `1 object`, `12 345 objects`
  package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }
}
