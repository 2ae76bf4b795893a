extension Duration {
  /// The seconds with some decimals, cut and not rounded: `0.0123`.
  package func secondsText(decimals: Int) -> String { text(unitsPerSecond: 1, decimals: decimals) }

  /// The milliseconds with one decimal, cut and not rounded: `12.3`.
  package var millisecondsText: String { text(unitsPerSecond: 1000, decimals: 1) }

  private func text(unitsPerSecond: Int64, decimals: Int) -> String {
    let partsPerUnit = (0..<decimals).reduce(Int64(1)) { parts, _ in parts * 10 }
    let partsPerSecond = unitsPerSecond * partsPerUnit
    let (seconds, attoseconds) = components
    let parts = seconds * partsPerSecond + attoseconds / (1_000_000_000_000_000_000 / partsPerSecond)
    let fraction = String(parts % partsPerUnit)
    return "\(parts / partsPerUnit)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
