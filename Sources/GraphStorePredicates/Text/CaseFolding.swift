/// Unicode's full default case folding, scalar by scalar.
enum CaseFolding {
  /// Appends the folding of a scalar.
  ///
  /// Folding is lower case after upper case after lower case, but for the dotless i, which stays, and the
  /// Cherokee letters, which fold to upper case.
  static func append(_ scalar: Unicode.Scalar, to text: inout String.UnicodeScalarView) {
    if scalar.isASCII {
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      text.append(Unicode.Scalar(ASCII.lower(byte)))
      return
    }
    switch scalar.value {
    case 0x131, 0x13A0...0x13F5:
      text.append(scalar)
    case 0x13F8...0x13FD, 0xAB70...0xABBF:
      text.append(contentsOf: scalar.properties.uppercaseMapping.unicodeScalars)
    default:
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        for upper in lower.properties.uppercaseMapping.unicodeScalars {
          text.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
      }
    }
  }
}
