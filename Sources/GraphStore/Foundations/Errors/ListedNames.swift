extension Array where Element == String {
  /// The first few, and how many more there are, for a message.
  func listed(first count: Int) -> String {
    prefix(count).joined(separator: ", ") + (self.count > count ? " … (\(self.count - count) more)" : "")
  }
}

extension Array where Element == ManagedObjectID {
  /// The short forms of the first few, and how many more there are, for a message.
  func names(first count: Int) -> String { map(\.shortForm).listed(first: count) }
}

extension Int {
  /// The number with its thousands set apart, for display.
  package var grouped: String {
    var text = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += " " }
      text.append(digit)
    }
    return self < 0 ? "-" + text : text
  }
}
