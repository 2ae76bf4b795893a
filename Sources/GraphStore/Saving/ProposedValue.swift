/// The value of a property that a class checks, and may replace.
///
/// Reading it makes the Swift value; a check that does not look at it costs nothing. It is good only inside the call
/// that it is given to.
public struct ProposedValue: ~Copyable {
  /// A value that is there, though it may be nil.
  final class Given {
    let value: Any?

    init(_ value: Any?) { self.value = value }
  }

  @safe private unowned(unsafe) let object: ManagedObject
  /// The number of the property whose present value it is; of a value that an object may get nothing is read.
  private let number: Int
  /// The value that was given, or what a class has put in its place.
  private var given: Given?
  private var isReplaced = false

  /// The value that an object has.
  @inline(__always)
  init(of number: Int, object: ManagedObject) {
    self.object = object
    self.number = number
    given = nil
  }

  /// A value that an object may get.
  init(_ value: Any?, object: ManagedObject) {
    self.object = object
    number = -1
    given = Given(value)
  }

  /// What a class has put in place of the value.
  var replacement: Given? { isReplaced ? given : nil }

  /// The value, of the Swift type of the attribute, an object or a collection of objects, or nil; setting it replaces the
  /// value in the save that is running, or for the caller of ``ManagedObject/validateValue(_:forKey:)``.
  ///
  /// A value that cannot be read is nil, and the next save tells why (OBJ-173).
  public var value: Any? {
    get {
      if let given { return given.value }
      return stored
    }
    set {
      given = Given(newValue)
      isReplaced = true
    }
  }

  private var stored: Any? {
    do { return try object.storedValue(of: object.layout.properties[number]) } catch {
      object.keepDeferred(error)
      return nil
    }
  }
}
