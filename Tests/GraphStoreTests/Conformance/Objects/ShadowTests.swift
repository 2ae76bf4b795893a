import Foundation
import GraphStore
import Testing

/// A value of a type that no attribute has.
private struct Box: Equatable {
  var x, y, width, height: Double

  var text: String { "\(x) \(y) \(width) \(height)" }

  init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  init?(_ text: String) {
    let parts = text.split(separator: " ").compactMap { Double($0) }
    guard parts.count == 4 else { return nil }
    self.init(parts[0], parts[1], parts[2], parts[3])
  }
}

/// A box in a transient attribute over a text that is stored.
private class Shape: ManagedObject {
  static let shadow = AttributeKey<Shape, String>("frameText")
  /// How often a box became a text.
  var conversions = 0

  func keep(_ box: Box?) {
    willChangeValue(forKey: "frame")
    defer { didChangeValue(forKey: "frame") }
    try? setPrimitiveValue(box, forKey: "frame")
  }

  final var kept: Box? { (try? primitiveValue(forKey: "frame")) as? Box }

  final func text(of box: Box?) -> String? {
    conversions += 1
    return box?.text
  }
}

/// Converts when it is realised, and at every set.
private final class EagerShape: Shape {
  var frame: Box? {
    get {
      willAccessValue(forKey: "frame")
      defer { didAccessValue(forKey: "frame") }
      return kept
    }
    set {
      keep(newValue)
      (self as Shape)[Shape.shadow] = text(of: newValue)
    }
  }

  override func awakeFromFetch() {
    try? setPrimitiveValue((self as Shape)[Shape.shadow].flatMap { Box($0) }, forKey: "frame")
  }
}

/// Converts when it is realised, and in the save.
private final class DelayedShape: Shape {
  var frame: Box? {
    get {
      willAccessValue(forKey: "frame")
      defer { didAccessValue(forKey: "frame") }
      return kept
    }
    set { keep(newValue) }
  }

  override func awakeFromFetch() {
    try? setPrimitiveValue((self as Shape)[Shape.shadow].flatMap { Box($0) }, forKey: "frame")
  }

  override func willSave() {
    guard isInserted || isUpdated else { return }
    try? setPrimitiveValue(text(of: kept), forKey: "frameText")
  }
}

@Suite("Values of other types, in a transient attribute over a stored shadow", .everyStore)
struct ShadowTests {
  private static let model = ModelDefinition(
    entities: ["Eager", "Delayed"].map { name in
      EntityDefinition(
        name, className: name,
        attributes: [
          AttributeDefinition("frame", .undefined, isTransient: true),
          AttributeDefinition("frameText", .string), AttributeDefinition("name", .string),
        ])
    })
  private static let classes: [String: ManagedObject.Type] = [
    "Eager": EagerShape.self, "Delayed": DelayedShape.self,
  ]

  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let box = Box(1, 2, 3, 4.5)

  init() throws { stack = try TestStack(Self.model, classes: Self.classes) }

  @Test("OBJ-280: a value converted in awakeFromFetch is there at the first read, and the object stays clean")
  func precomputed() throws {
    try context.insert(EagerShape.self).frame = box
    try context.save()
    let other = stack.newContext()
    let shape = try other.fetch(FetchRequest<EagerShape>())[0]
    #expect(shape.frame == box && !shape.isFault)
    #expect(try !shape.hasChanges && !other.hasChanges && shape.changedValues().isEmpty)
    #expect(try stack.statements { try other.save() } == 0)
  }

  @Test("OBJ-281: an immediate setter changes the transient value and its shadow at each set")
  func immediate() throws {
    let shape = try context.insert(EagerShape.self)
    try context.save()
    shape.frame = box
    #expect(
      (shape as Shape)[Shape.shadow] == box.text && shape.kept == box && shape.changedKeys == ["frameText"])
    shape.frame = nil
    #expect((shape as Shape)[Shape.shadow] == nil && shape.kept == nil)
    shape.frame = box
    #expect(shape.conversions == 3)
    try context.save()
    #expect(try stack.otherProcess().all("Eager")[0].string("frameText") == box.text)
  }

  @Test("OBJ-282: a delayed setter leaves the shadow to the save, which converts once and writes nil for nil")
  func delayed() throws {
    let shape = try context.insert(DelayedShape.self)
    for x in [7.0, 8, 1] { shape.frame = Box(x, 2, 3, 4.5) }
    #expect((shape as Shape)[Shape.shadow] == nil && shape.conversions == 0)
    try context.save()
    #expect(shape.conversions == 1)
    #expect(try stack.otherProcess().all("Delayed")[0].string("frameText") == box.text)
    shape.frame = nil
    try context.save()
    #expect(shape.conversions == 2)
    #expect(try stack.otherProcess().all("Delayed")[0].string("frameText") == nil)
  }

  @Test("OBJ-282: an update of the transient value alone reaches the row")
  func delayedUpdate() throws {
    let shape = try context.insert(DelayedShape.self)
    try context.save()
    shape.frame = box
    try context.save()
    #expect(try stack.otherProcess().all("Delayed")[0].string("frameText") == box.text)
  }

  @Test("OBJ-283, MDL-131: a rectangle that was saved is equal in another context and another process")
  func fixture() throws {
    let (eager, delayed) = (try context.insert(EagerShape.self), try context.insert(DelayedShape.self))
    (eager.frame, delayed.frame) = (box, box)
    try context.save()
    let other = stack.newContext()
    #expect(try other.fetch(FetchRequest<EagerShape>())[0].frame == box)
    #expect(try other.fetch(FetchRequest<DelayedShape>())[0].frame == box)
    guard stack.has(.files) else { return }
    let coordinator = try PersistentStoreCoordinator.open(storeAt: stack.path, classes: Self.classes)
    defer { coordinator.close() }
    let fresh = ManagedObjectContext(coordinator: coordinator)
    #expect(try fresh.fetch(FetchRequest<EagerShape>())[0].frame == box)
    #expect(try fresh.fetch(FetchRequest<DelayedShape>())[0].frame == box)
  }

  @Test("OBJ-284: what is written to the shadow itself shows when the object is next realised")
  func shadowAlone() throws {
    let (eager, delayed) = (try context.insert(EagerShape.self), try context.insert(DelayedShape.self))
    (eager.frame, delayed.frame) = (box, box)
    try context.save()
    let other = Box(9, 9, 9, 9)
    (eager as Shape)[Shape.shadow] = other.text
    #expect(eager.frame == box)
    try context.save()
    #expect(eager.frame == box)
    try context.refresh(eager, mergeChanges: false)
    #expect(eager.frame == other)
    #expect(delayed.frame == box)
  }

  @Test("MDL-131: a transformable attribute holds a value of another type as well")
  func transformable() throws {
    try AttributeTransformer.register(
      AttributeTransformer(
        "ShadowTests.Box", of: Box.self, toData: { Data($0.text.utf8) },
        fromData: { Box(String(decoding: $0, as: UTF8.self)) }))
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Shape", attributes: [AttributeDefinition("frame", .transformable, transformer: "ShadowTests.Box")])
      ]))
    try stack.context.insert("Shape", ["frame": box])
    try stack.context.save()
    #expect(try stack.otherProcess().all("Shape")[0].value(forKey: "frame") as? Box == box)
    #expect(code { try stack.context.insert("Shape", ["frame": "text"]) } == .valueType)
  }
}
