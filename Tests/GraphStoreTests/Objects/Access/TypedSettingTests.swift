import Foundation
import GraphStore
import Testing

/// Setting by typed keys, whose usual case takes a shorter way than setting by name.
struct TypedSettingTests {
  private static let small = AttributeKey<ManagedObject, Int64>("small")
  private static let medium = AttributeKey<ManagedObject, Int>("medium")
  private static let large = AttributeKey<ManagedObject, Int64>("large")
  private static let ratio = AttributeKey<ManagedObject, Double>("ratio")
  private static let single = AttributeKey<ManagedObject, Double>("single")
  private static let flag = AttributeKey<ManagedObject, Bool>("flag")
  private static let text = AttributeKey<ManagedObject, String>("text")
  private static let moment = AttributeKey<ManagedObject, Date>("moment")

  private let stack: TestStack
  private let thing: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.types)
    thing = try stack.context.insert(entityNamed: "Thing")
    // The first access resolves a key; what follows takes the short way.
    thing[Self.small] = 7
    thing[Self.medium] = 7
    thing[Self.large] = 7
    thing[Self.ratio] = 7
    thing[Self.single] = 7
    thing[Self.flag] = true
    thing[Self.text] = "seven"
    thing[Self.moment] = Date(timeIntervalSinceReferenceDate: 7)
  }

  private func refusedCode() throws -> GraphStoreError.Code? {
    let errors = stack.context.takeDeferredErrors()
    #expect(errors.count == 1)
    return (errors.first as? GraphStoreError)?.code
  }

  @Test("OBJ-170, OBJ-142: a number outside the attribute's width is refused and the old value stays")
  func widths() throws {
    for number in [Int64(Int16.max) + 1, Int64(Int16.min) - 1, .max] {
      thing[Self.small] = number
      #expect(try refusedCode() == .valueOutOfRange)
    }
    thing[Self.medium] = Int(Int32.max) + 1
    #expect(try refusedCode() == .valueOutOfRange)
    #expect(thing[Self.small] == 7)
    #expect(thing[Self.medium] == 7)
    thing[Self.small] = Int64(Int16.min)
    thing[Self.medium] = Int(Int32.min)
    thing[Self.large] = .min
    try stack.context.save()
    let stored = try stack.otherProcess().all("Thing")[0]
    #expect(stored[Self.small] == Int64(Int16.min))
    #expect(stored[Self.medium] == Int(Int32.min))
    #expect(stored[Self.large] == .min)
  }

  @Test("OBJ-170: what is no number or no moment is refused, and a float takes the nearest value it can hold")
  func floatingPoint() throws {
    thing[Self.ratio] = .nan
    #expect(try refusedCode() == .valueType)
    thing[Self.single] = 1e300
    #expect(try refusedCode() == .valueOutOfRange)
    thing[Self.moment] = Date(timeIntervalSinceReferenceDate: .infinity)
    #expect(try refusedCode() == .valueType)
    #expect(thing[Self.ratio] == 7)
    #expect(thing[Self.single] == 7)
    #expect(thing[Self.moment] == Date(timeIntervalSinceReferenceDate: 7))
    thing[Self.single] = 0.1
    #expect(thing[Self.single] == Double(Float(0.1)))
    thing[Self.ratio] = -.infinity
    #expect(thing[Self.ratio] == -.infinity)
  }

  @Test("OBJ-170: nil empties an attribute, a value fills it again")
  func emptying() throws {
    thing[Self.large] = nil
    thing[Self.text] = nil
    thing[Self.flag] = nil
    #expect(thing[Self.large] == nil && thing[Self.text] == nil && thing[Self.flag] == nil)
    thing[Self.large] = 1
    thing[Self.text] = ""
    thing[Self.flag] = false
    try stack.context.save()
    let stored = try stack.otherProcess().all("Thing")[0]
    #expect(stored[Self.large] == 1 && stored[Self.text] == "" && stored[Self.flag] == false)
  }

  @Test("OBJ-091, OBJ-094: each attribute set after a save is recorded, the first as the later ones")
  func changedKeys() throws {
    try stack.context.save()
    #expect(!stack.context.hasChanges)
    thing[Self.large] = 8
    thing[Self.text] = "eight"
    thing[Self.flag] = true
    #expect(thing.isUpdated)
    #expect(thing.changedKeys.sorted() == ["large", "text"])
    stack.context.rollback()
    #expect(thing[Self.large] == 7 && thing[Self.text] == "seven")
    thing[Self.large] = 9
    try stack.context.save()
    #expect(try stack.otherProcess().all("Thing")[0][Self.large] == 9)
  }

  @Test("CTX-119: values set while a row is shared with another context stay in their own")
  func sharedRows() throws {
    try stack.context.save()
    let other = try stack.newContext().all("Thing")[0]
    #expect(other[Self.large] == 7)
    thing[Self.large] = 8
    thing[Self.large] = 9
    #expect(other[Self.large] == 7)
  }

  @Test("An object whose deletion was saved takes no value")
  func deleted() throws {
    try stack.context.save()
    thing[Self.large] = 8
    try stack.context.delete(thing)
    try stack.context.save()
    thing[Self.large] = 9
    #expect(stack.context.takeDeferredErrors().isEmpty)
    #expect(throws: GraphStoreError.self) { try thing.setValue(9, forKey: "large") }
  }

  @Test("OBJ-170: a key of an attribute that is of another kind is refused")
  func otherKind() throws {
    let wrong = AttributeKey<ManagedObject, Int64>("text")
    thing[wrong] = 1
    #expect(try refusedCode() == .valueType)
    #expect(thing[Self.text] == "seven")
  }
}
