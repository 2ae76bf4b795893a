#if PostgreSQL
/// Array in the server's binary form, which grows by its elements.
struct PostgreSQLParameterArray: PostgreSQLValueSink {
  let elementType: UInt32
  private var bytes: [UInt8]
  private(set) var count = 0
  private var hasNulls = false

  /// Ndim, flags, type, size and lower bound.
  private static let headerSize = 20

  init(of elementType: UInt32, capacity: Int) {
    self.elementType = elementType
    bytes = [UInt8](repeating: 0, count: Self.headerSize)
    bytes.reserveCapacity(Self.headerSize + capacity * 12)
  }

  var byteCount: Int { bytes.count }

  mutating func appendNull() {
    count += 1
    hasNulls = true
    append(bigEndian: Int32(-1))
  }

  mutating func append(_ number: Int64) {
    count += 1
    append(bigEndian: Int32(8))
    append(bigEndian: number)
  }

  mutating func append(_ number: Double) {
    count += 1
    append(bigEndian: Int32(8))
    append(bigEndian: number.bitPattern)
  }

  mutating func append(_ flag: Bool) {
    count += 1
    append(bigEndian: Int32(1))
    bytes.append(flag ? 1 : 0)
  }

  mutating func append(_ element: some Collection<UInt8>) {
    count += 1
    append(bigEndian: Int32(element.count))
    bytes.append(contentsOf: element)
  }

  mutating func append(_ element: UnsafeBufferPointer<UInt8>) {
    count += 1
    append(bigEndian: Int32(element.count))
    unsafe bytes.append(contentsOf: element)
  }

  private mutating func append(bigEndian number: some FixedWidthInteger) {
    unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  /// The one element as a value of its own.
  var element: PostgreSQLParameter {
    precondition(count == 1, "an array of \(count) elements is not one value")
    let start = Self.headerSize + 4
    return PostgreSQLParameter(type: elementType, bytes: hasNulls ? nil : Array(bytes[start...]))
  }

  var parameter: PostgreSQLParameter {
    let type = PostgreSQLTypeNumber.array(of: elementType)
    func header(_ parts: [Int32]) -> [UInt8] { parts.flatMap(\.networkBytes) }
    let typeNumber = Int32(bitPattern: elementType)
    if count == 0 { return PostgreSQLParameter(type: type, bytes: header([0, 0, typeNumber])) }
    var bytes = bytes
    bytes.replaceSubrange(
      0..<Self.headerSize, with: header([1, hasNulls ? 1 : 0, typeNumber, Int32(count), 1]))
    return PostgreSQLParameter(type: type, bytes: bytes)
  }
}
#endif
