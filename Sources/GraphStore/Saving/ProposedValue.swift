/// The value of a property that a class checks, and may replace.
///
/// Reading it makes the Swift value; a check that does not look at it costs nothing. It is good only inside the call
/// that it is given to.
public struct ProposedValue: ~Copyable {
  /// What a class has put in place of a value.
  final class Replacement {
    let value: Any?

    init(_ value: Any?) { self.value = value }
  }

  @safe private unowned(unsafe) let object: ManagedObject
  private let number: Int
  private(set) var replacement: Replacement?

  init(object: ManagedObject, number: Int) {
    self.object = object
    self.number = number
  }

  /// The value, of the Swift type of the attribute, or nil; setting it replaces the value in the save that is running.
  public var value: Any? {
    get {
      if let replacement { return replacement.value }
      let property = object.layout.properties[number]
      if property.kind.needsObject {
        return try? object.storedValue(of: property)
      }
      return object.currentRow.flatMap { object.value(of: property, in: $0).swiftValue(property.kind) }
    }
    set { replacement = Replacement(newValue) }
  }
}
