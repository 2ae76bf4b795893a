import Foundation
import GraphStore
import Testing

@Suite("Zeros of attributes")
struct DefaultValuedTests {
  private func zero<Element: DefaultValued & Equatable>(
    _ object: ManagedObject, _ key: AttributeKey<Element>, _ value: Element
  ) throws {
    #expect(object[default: key] == Element._defaultValue, "\(key.name)")
    #expect(object[key] == nil, "\(key.name)")
    #expect(try object.value(forKey: key.name) == nil, "\(key.name)")
    object[key] = value
    #expect(object[default: key] == value, "\(key.name)")
  }

  @Test("OBJ-029, OBJ-525: a missing value of each type reads as zero where asked so, and stays missing")
  func zeros() throws {
    let stack = try TestStack(TestModels.types)
    let thing = try stack.context.insert("Thing", [:])
    try zero(thing, AttributeKey<Int16>("small"), -3)
    try zero(thing, AttributeKey<Int32>("medium"), 4)
    try zero(thing, AttributeKey<Int64>("large"), .max)
    try zero(thing, AttributeKey<Decimal>("money"), 2)
    try zero(thing, AttributeKey<Double>("ratio"), 0.1)
    try zero(thing, AttributeKey<Float>("single"), 0.5)
    try zero(thing, AttributeKey<String>("text"), "é")
    try zero(thing, AttributeKey<Bool>("flag"), true)
    try zero(thing, AttributeKey<Date>("moment"), .distantFuture)
    try zero(thing, AttributeKey<UUID>("tag"), UUID())
    try zero(thing, AttributeKey<Data>("bytes"), Data([0]))
    #expect(Int._defaultValue == 0)
    #expect(UUID._defaultValue.uuidString.allSatisfy { $0 == "0" || $0 == "-" })
  }
}
