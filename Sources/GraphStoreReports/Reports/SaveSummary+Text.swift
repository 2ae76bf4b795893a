import GraphStore

extension SaveSummary {
  /// What is saved, and what is not: `saved 1 insert; 1 update gave way to what is stored`.
  package var text: String {
    let saved = saved.parts
    guard let concession else { return saved.isEmpty ? "nothing to save" : "saved \(saved.listed)" }
    return "saved \(saved.isEmpty ? "nothing" : saved.listed); \(concession)"
  }

  /// What a policy has dropped; nil where that is nothing.
  package var concession: String? {
    var parts = dropped.parts
    if partlyDropped > 0 { parts.append("a part of \(partlyDropped.counted("update"))") }
    return parts.isEmpty ? nil : "\(parts.listed) gave way to what is stored"
  }
}

extension SaveSummary.Counts {
  fileprivate var parts: [String] {
    [(inserted, "insert"), (updated, "update"), (deleted, "delete")]
      .filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
  }
}

extension [String] {
  fileprivate var listed: String { joined(separator: ", ") }
}
