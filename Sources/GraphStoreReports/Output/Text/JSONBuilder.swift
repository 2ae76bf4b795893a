/// Builder of JSON in an output buffer, value by value, commas and colons included.
package struct JSONBuilder {
  /// Where the text goes.
  package let output: OutputBuffer
  private var needsComma = false

  /// A builder of a document at the end of a buffer.
  package init(_ output: OutputBuffer) {
    self.output = output
  }

  /// Opens an object.
  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  /// Closes the object that was opened last.
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  /// Opens an array.
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  /// Closes the array that was opened last.
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The key of the member that comes next.
  package mutating func key(_ name: String) {
    separate()
    output.append(jsonString: name)
    output.append(byte: UInt8(ascii: ":"))
    needsComma = false
  }

  /// The value `null`.
  package mutating func null() {
    separate()
    output.append(literal: "null")
  }

  /// `true` or `false`.
  package mutating func value(_ value: Bool) {
    separate()
    output.append(value ? "true" : "false")
  }

  /// A whole number.
  package mutating func value(_ value: Int) {
    separate()
    output.append(integer: Int64(value))
  }

  /// A number; one that JSON cannot say is a string.
  package mutating func value(_ value: Double) {
    separate()
    output.append(jsonDouble: value)
  }

  /// A string.
  package mutating func value(_ text: String) {
    separate()
    output.append(jsonString: text)
  }

  /// An array of strings.
  package mutating func value(_ texts: [String]) {
    beginArray()
    for text in texts { value(text) }
    endArray()
  }

  /// A value that is JSON already.
  package mutating func raw(_ json: UnsafeBufferPointer<UInt8>) {
    separate()
    unsafe output.append(json)
  }

  /// A value that `write` appends as JSON to the buffer.
  package mutating func value(_ write: (OutputBuffer) -> Void) {
    separate()
    write(output)
  }

  /// A member whose value is a string.
  package mutating func member(_ name: String, _ text: String) {
    key(name)
    value(text)
  }

  /// A member whose value is a whole number.
  package mutating func member(_ name: String, _ number: Int) {
    key(name)
    value(number)
  }

  /// A list of texts; nothing at all if it is empty.
  package mutating func member(_ name: String, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    key(name)
    value(texts)
  }

  /// A list of what `write` appends for each element; nothing at all if there is none.
  package mutating func list<Element>(
    _ name: String, of elements: [Element], _ write: (Element, inout JSONBuilder) -> Void
  ) {
    guard !elements.isEmpty else { return }
    key(name)
    beginArray()
    for element in elements { write(element, &self) }
    endArray()
  }

  private mutating func separate() {
    if needsComma { output.append(byte: UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    output.append(byte: bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    output.append(byte: bracket)
    needsComma = true
  }
}
