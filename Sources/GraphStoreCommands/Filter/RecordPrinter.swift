import GraphStoreReports

/// Printer of records as they came, one a line or as one array.
final class RecordPrinter {
  /// How records are printed.
  enum Form {
    /// Each with a line feed behind it.
    case lines
    /// The same, but without line breaks inside of a record.
    case compactLines
    /// One array, a record a line.
    case array
    /// One array, with the white space of the input between its elements.
    case arrayAsItCame
  }

  let output: OutputBuffer
  private let form: Form
  /// Whether records are made safe for a terminal.
  private let isShown: Bool
  private var count = 0
  /// What stood in front of the first and of the second element of the input.
  private var gaps: (first: [UInt8], other: [UInt8]?) = ([], nil)

  init(_ output: OutputBuffer, _ form: Form, isShown: Bool = false) {
    self.output = output
    self.form = form
    self.isShown = isShown
  }

  /// Records the white space in front of an element, whether it is printed or not.
  func record(gap: [UInt8], number: Int) {
    guard form == .arrayAsItCame else { return }
    if number == 1 { gaps.first = gap } else { gaps.other = gap }
  }

  func print(_ record: UnsafeBufferPointer<UInt8>) {
    switch form {
    case .lines:
      unsafe append(record)
      output.append(byte: UInt8(ascii: "\n"))
    case .compactLines:
      unsafe appendCompact(record)
      output.append(byte: UInt8(ascii: "\n"))
    case .array:
      output.append(count == 0 ? "[\n  " : ",\n  ")
      unsafe append(Self.trimmed(record))
    case .arrayAsItCame:
      output.append(byte: UInt8(ascii: count == 0 ? "[" : ","))
      output.append(count == 0 ? gaps.first : gaps.other ?? gaps.first)
      unsafe append(record)
    }
    count += 1
  }

  /// Ends the array.
  ///
  /// - Parameter gap: The white space in front of the closing bracket; nil where it is not known.
  func end(gap: [UInt8]?) {
    switch form {
    case .lines, .compactLines: return
    case .array: output.append(count == 0 ? "[]\n" : "\n]\n")
    case .arrayAsItCame:
      if count == 0 { output.append(byte: UInt8(ascii: "[")) }
      if count > 0, let gap {
        output.append(gap)
      } else if count > 0, gaps.first.contains(0x0A) {
        output.append(byte: UInt8(ascii: "\n"))
      }
      output.append(literal: "]\n")
    }
  }

  /// A record without the white space around it, such as the carriage return of its line.
  private static func trimmed(_ record: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard let first = unsafe record.firstIndex(where: { $0 > 0x20 }),
      let last = unsafe record.lastIndex(where: { $0 > 0x20 })
    else { return unsafe record }
    return unsafe UnsafeBufferPointer(rebasing: record[first...last])
  }

  /// A record that goes over several lines loses the white space between its parts.
  private func appendCompact(_ record: UnsafeBufferPointer<UInt8>) {
    guard unsafe record.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return unsafe append(record) }
    let compact = OutputBuffer.memory(capacity: record.count)
    var isInString = false
    var isEscaped = false
    for index in record.indices {
      let byte = unsafe record[index]
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      } else if byte <= 0x20 {
        continue
      } else {
        isInString = byte == UInt8(ascii: "\"")
      }
      compact.append(byte: byte)
    }
    unsafe append(compact.bytes)
  }

  private func append(_ record: UnsafeBufferPointer<UInt8>) {
    if isShown { unsafe output.append(visibleJSON: record) } else { unsafe output.append(record) }
  }
}
