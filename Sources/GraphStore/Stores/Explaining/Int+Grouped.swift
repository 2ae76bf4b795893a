extension Int {
  /// The number with its thousands set apart, as people read it.
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
