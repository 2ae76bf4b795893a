/// The value of a property that a class checks, and may replace.
///
/// Reading it makes the Swift value; a check that does not look at it costs nothing.
public struct ProposedValue {
  private let object: ManagedObject
  private let property: PropertyPlan
  /// What the class has put in place of the value.
  private(set) var replacement: Any??

  init(object: ManagedObject, property: PropertyPlan) {
    self.object = object
    self.property = property
  }

  /// The value, of the Swift type of the attribute, or nil; setting it replaces the value in the save that is running.
  public var value: Any? {
    get {
      if case .some(let replacement) = replacement { return replacement }
      return object.currentRow.flatMap { object.value(of: property, in: $0).swiftValue(property.kind) }
    }
    set { replacement = .some(newValue) }
  }
}
