import Foundation
import GraphStore
import Testing

/// A class of the tests that holds the rules of one test.
private class Ruled: ManagedObject {
  nonisolated(unsafe) static var rule: (Ruled) throws -> Void = { _ in }
  nonisolated(unsafe) static var propertyRule: (String, inout ProposedValue) throws -> Void = { _, _ in }
  nonisolated(unsafe) static var beforeSaving: (Ruled) -> Void = { _ in }

  static func clear() {
    rule = { _ in }
    propertyRule = { _, _ in }
    beforeSaving = { _ in }
  }

  override func validateForUpdate() throws {
    var collector = ValidationCollector(of: self)
    collector.check { try super.validateForUpdate() }
    collector.check { try Self.rule(self) }
    try collector.throwFailures()
  }

  override func validateForInsert() throws {
    var collector = ValidationCollector(of: self)
    collector.check { try super.validateForInsert() }
    collector.check { try Self.rule(self) }
    try collector.throwFailures()
  }

  override func validateProperty(_ key: String, value: inout ProposedValue) throws {
    try Self.propertyRule(key, &value)
  }

  override func willSave() { Self.beforeSaving(self) }
}

/// A rule of an application, with an error of its own.
private struct OddSize: Error {}

@Suite("Rules of classes, and how their errors are put together", .serialized, .everyStore)
struct ClassRuleTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    Ruled.clear()
    stack = try TestStack(
      ModelDefinition(
        name: "Rules",
        entities: [
          EntityDefinition(
            "Thing", className: "Ruled",
            attributes: [
              .init("name", .string, isOptional: false), .init("size", .int32, minimum: 0),
              .init("longitude", .double), .init("licence", .boolean), .init("birthday", .date),
            ],
            relationships: [
              .init("owner", to: "Thing", inverse: "parts"),
              .init("parts", to: "Thing", inverse: "owner", isToMany: true),
            ])
        ]), classes: ["Ruled": Ruled.self])
  }

  private func saveError() -> GraphStoreError? { failure { try context.save() } }

  // MARK: Worked examples

  @Test("OBJ-357: a longitude outside of -180...180 is refused with the class's own sentence")
  func longitude() throws {
    Ruled.propertyRule = { key, value in
      guard key == "longitude", let degrees = value.value as? Double, !(-180...180).contains(degrees) else {
        return
      }
      throw GraphStoreError(
        .validation, "longitude has to be in range -180...180", remedy: "Give degrees east of Greenwich.")
    }
    let thing = try context.insert("Thing", ["name": "x", "longitude": 190])
    #expect(saveError()?.message == "longitude has to be in range -180...180")
    #expect(saveError()?.property == "longitude" && saveError()?.value == .double(190))
    for degrees in [-180.0, 0, 180] {
      try thing.setValue(degrees, forKey: "longitude")
      try context.save()
    }
    try thing.setValue(-180.5, forKey: "longitude")
    #expect(saveError()?.number == 1550)
  }

  @Test("OBJ-357, OBJ-353: the variant that wraps the value stores -170 for 190")
  func wrappedLongitude() throws {
    Ruled.propertyRule = { key, value in
      guard key == "longitude", let degrees = value.value as? Double, !(-180...180).contains(degrees) else {
        return
      }
      value.value = degrees - 360 * ((degrees + 180) / 360).rounded(.down)
    }
    let thing = try context.insert("Thing", ["name": "x", "longitude": 190])
    try context.save()
    #expect(try thing.value(forKey: "longitude") as? Double == -170)
    #expect(try stack.otherProcess().all("Thing", "longitude == -170").count == 1)
  }

  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func day(_ year: Int, _ month: Int, _ day: Int) throws -> Date {
    try #require(calendar.date(from: DateComponents(year: year, month: month, day: day)))
  }

  @Test(
    "OBJ-372: who has a licence is 16 whole years old, on the birthday, the day before and the day after",
    arguments: [(2024, 3, 15, true), (2024, 3, 14, false), (2024, 3, 16, true)])
  func licence(year: Int, month: Int, day: Int, isValid: Bool) throws {
    let today = try Self.day(year, month, day)
    Ruled.rule = { person in
      guard try person.value(forKey: "licence") as? Bool == true,
        let birthday = try person.value(forKey: "birthday") as? Date,
        let age = Self.calendar.dateComponents([.year], from: birthday, to: today).year, age < 16
      else { return }
      throw GraphStoreError(.validation, "A driver is 16.", remedy: "Wait.", number: 9016)
    }
    let birthday = try Self.day(2008, 3, 15)
    let person = try context.insert(
      "Thing", ["name": "Ada", "licence": true, "birthday": birthday])
    #expect(saveError()?.number == (isValid ? nil : 9016))
    try person.setValue(nil, forKey: "birthday")
    try context.save()
    try person.setValue(birthday, forKey: "birthday")
    #expect(saveError()?.number == (isValid ? nil : 9016))
    try person.setValue(false, forKey: "licence")
    try context.save()
    try person.setValue(nil, forKey: "licence")
    try context.save()
  }

  // MARK: Values that are replaced

  @Test("OBJ-354: a validator that replaces values without end is stopped")
  func endless() throws {
    Ruled.propertyRule = { key, value in
      if key == "size" { value.value = (value.value as? Int32 ?? 0) + 1 }
    }
    let thing = try context.insert("Thing", ["name": "x"])
    #expect(saveError()?.code == .changesDoNotSettle)
    #expect(thing.isInserted && context.hasChanges)
    #expect(try stack.otherProcess().all("Thing").isEmpty)
  }

  @Test("OBJ-346, OBJ-353: relationships are validated and replaced as attributes are")
  func relationships() throws {
    let (right, wrong) = (
      try context.insert("Thing", ["name": "a"]), try context.insert("Thing", ["name": "b"])
    )
    let spare = try context.insert("Thing", ["name": "c", "owner": right])
    let thing = try context.insert("Thing", ["name": "d", "owner": wrong])
    Ruled.propertyRule = { key, value in
      if key == "owner", value.value as? ManagedObject === wrong { value.value = right }
      if key == "parts", let parts = value.value as? Set<ManagedObject> {
        value.value = parts.subtracting([spare])
      }
    }
    try context.save()
    #expect(try thing.object(forKey: "owner") === right)
    #expect(try right.objects(forKey: "parts") == [thing])
    #expect(try spare.object(forKey: "owner") == nil && wrong.objects(forKey: "parts").isEmpty)
  }

  @Test(
    "DGN-172: a save that does not settle names the objects and keys of its last two rounds, and no others")
  func unsettled() throws {
    var round = 0
    Ruled.beforeSaving = { object in
      guard object["name"] as? String == "restless" else { return }
      round += 1
      object["size"] = 7
      if round.isMultiple(of: 2) { object["longitude"] = 1.0 } else { object["licence"] = true }
      if round < 9 { object["birthday"] = Date(timeIntervalSinceReferenceDate: Double(round)) }
    }
    try context.insert("Thing", ["name": "quiet", "size": 1])
    let restless = try context.insert("Thing", ["name": "restless"])
    let error = try #require(saveError())
    #expect(error.code == .changesDoNotSettle && error.number == 136040 && round == 1000)
    #expect(error.relatedObjects == [restless.objectID])
    #expect(error.details == ["\(restless.objectID.shortForm): size, licence, longitude"])
    #expect(error.remedy == "Compare before setting.")
    Ruled.clear()
    try context.save()
    #expect(try stack.otherProcess().all("Thing").count == 2)
  }

  // MARK: Errors

  @Test("OBJ-366, OBJ-367: an override goes on after super has failed, and one error holds what both found")
  func collector() throws {
    Ruled.rule = { _ in throw OddSize() }
    let thing = try context.insert("Thing", ["size": -1])
    let error = try #require(saveError())
    #expect(error.number == 1560 && error.errors.map(\.property) == [nil, "name", "size"])
    #expect(
      error.errors[0].underlying is OddSize && error.errors.allSatisfy { $0.objectID == thing.objectID })
    try thing.setValue("x", forKey: "name")
    try thing.setValue(1, forKey: "size")
    #expect(saveError()?.number == 1550 && saveError()?.underlying is OddSize)
    Ruled.clear()
    try context.save()
  }

  @Test("OBJ-366, OBJ-369: a collector keeps what its checks throw in the order found")
  func order() throws {
    let thing = try context.insert("Thing", [:])
    var collector = ValidationCollector(of: thing)
    try collector.throwFailures()
    collector.check {}
    collector.check { throw GraphStoreError(.validation, "b", remedy: "", number: 9002, property: "size") }
    collector.check { try thing.validateForInsert() }
    collector.add(OddSize())
    #expect(collector.failures.map(\.number) == [9002, 1570, 1550])
    #expect(failure { try collector.throwFailures() }?.errors.map(\.number) == [9002, 1570, 1550])
  }

  @Test("OBJ-368, OBJ-527: combining with a multiple error adds to its list, and keeps what else it says")
  func multiples() throws {
    Ruled.rule = { _ in
      var inner = GraphStoreError(.multipleValidationErrors, "inner", remedy: "")
      inner.errors = [9003, 9004].map { GraphStoreError(.validation, "inner", remedy: "", number: $0) }
      var outer = GraphStoreError(
        .multipleValidationErrors, "The thing is no good.", remedy: "Throw it away.", underlying: OddSize())
      outer.errors = [GraphStoreError(.validation, "9005", remedy: "", number: 9005), inner]
      outer.details = ["seen from above"]
      throw outer
    }
    try context.insert("Thing", [:])
    try context.insert("Thing", ["name": "x"])
    let error = try #require(saveError())
    #expect(error.errors.map(\.number).sorted() == [1570, 9003, 9003, 9004, 9004, 9005, 9005])
    #expect(error.errors.allSatisfy { $0.errors.isEmpty && $0.objectID != nil })
    #expect(error.message == "The thing is no good." && error.remedy == "Throw it away.")
    #expect(error.underlying is OddSize && error.details.contains("seen from above"))
    #expect(error.number == 1560)
  }

  @Test("OBJ-371: codes and numbers of an application pass through a save")
  func ownCodes() throws {
    let thing = try context.insert("Thing", ["name": "x", "size": 3])
    Ruled.rule = { _ in
      throw GraphStoreError(application: "too-odd", "odd", remedy: "Make it even.", number: 9001)
    }
    let whole = try #require(saveError())
    #expect(whole.code == .application && whole.word == "too-odd" && whole.number == 9001)
    #expect(whole.message == "odd" && whole.remedy == "Make it even." && whole.underlying == nil)
    #expect(whole.objectID == thing.objectID && whole.entity == "Thing" && whole.property == nil)
    Ruled.clear()
    Ruled.propertyRule = { key, _ in
      if key == "size" {
        throw GraphStoreError(application: "too-odd", "odd", remedy: "Make it even.", number: 9001)
      }
    }
    let ofKey = try #require(saveError())
    #expect(ofKey.number == 9001 && ofKey.property == "size" && ofKey.value == .int(3))
  }

  @Test("OBJ-370: an error of another object, key and value keeps them")
  func ownPlace() throws {
    let other = try context.insert("Thing", ["name": "other"])
    try context.insert("Thing", ["name": "x"])
    let error = GraphStoreError(
      .validation, "no", remedy: "", entity: "Thing", property: "licence", objectID: other.objectID,
      value: .bool(true))
    Ruled.propertyRule = { key, value in if key == "name", value.value as? String == "x" { throw error } }
    let found = try #require(saveError())
    #expect(found.objectID == other.objectID && found.property == "licence" && found.value == .bool(true))
  }
}
