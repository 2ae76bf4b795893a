import Foundation
import GraphStore
import Testing

@Suite("Zeros of attributes")
struct DefaultValuedTests {
  private func zero<Element: DefaultValued & Equatable>(
    _ object: ManagedObject, _ key: AttributeKey<ManagedObject, Element>, _ value: Element
  ) throws {
    #expect(object[default: key] == Element._defaultValue, "\(key.propertyName)")
    #expect(object[key] == nil, "\(key.propertyName)")
    #expect(try object.value(forKey: key.propertyName) == nil, "\(key.propertyName)")
    object[key] = value
    #expect(object[default: key] == value, "\(key.propertyName)")
  }

  @Test("OBJ-029, OBJ-525: a missing value of each type reads as zero where asked so, and stays missing")
  func zeros() throws {
    let stack = try TestStack(TestModels.types)
    let thing = try stack.context.insert("Thing", [:])
    try zero(thing, AttributeKey<ManagedObject, Int16>("small"), -3)
    try zero(thing, AttributeKey<ManagedObject, Int32>("medium"), 4)
    try zero(thing, AttributeKey<ManagedObject, Int64>("large"), .max)
    try zero(thing, AttributeKey<ManagedObject, Decimal>("money"), 2)
    try zero(thing, AttributeKey<ManagedObject, Double>("ratio"), 0.1)
    try zero(thing, AttributeKey<ManagedObject, Float>("single"), 0.5)
    try zero(thing, AttributeKey<ManagedObject, String>("text"), "é")
    try zero(thing, AttributeKey<ManagedObject, Bool>("flag"), true)
    try zero(thing, AttributeKey<ManagedObject, Date>("moment"), .distantFuture)
    try zero(thing, AttributeKey<ManagedObject, UUID>("tag"), UUID())
    try zero(thing, AttributeKey<ManagedObject, Data>("bytes"), Data([0]))
    #expect(Int._defaultValue == 0)
    #expect(UUID._defaultValue.uuidString.allSatisfy { $0 == "0" || $0 == "-" })
  }
}
