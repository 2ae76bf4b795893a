import Foundation
import GraphStore

/// The value of a field as bytes that are equal exactly for equal values of one attribute.
struct FieldBytes: FieldVisitor {
  private(set) var bytes: [UInt8] = []

  mutating func null() {}
  mutating func boolean(_ value: Bool) { bytes.append(value ? 1 : 0) }
  mutating func integer(_ value: Int64) { append(value) }
  mutating func double(_ value: Double, isSingle: Bool) { append(value == 0 ? 0 : value) }
  mutating func decimal(_ value: Decimal) { bytes += Array("\(value)".utf8) }
  mutating func decimal(whole: Int64) { bytes += Array("\(whole)".utf8) }
  mutating func decimal(double: Double) { bytes += Array("\(Decimal(shortestTextOf: double))".utf8) }
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe bytes += Array(utf8) }
  mutating func date(_ seconds: Double) { append(seconds == 0 ? 0 : seconds) }
  mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes += Array(bytes) }
  mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe bytes += Array(utf8) }
  mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes += Array(bytes) }
  mutating func reference(_ entityName: String, _ key: Int64) { append(key) }
  mutating func beginList() {}
  mutating func endList() {}

  private mutating func append<Number>(_ number: Number) {
    unsafe withUnsafeBytes(of: number) { unsafe bytes += Array($0) }
  }
}
