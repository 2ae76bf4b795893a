/// Observation of a key path of one object, which ends when it is cancelled or released.
///
/// It keeps neither the object nor its context. Several observations of one key are independent of each
/// other.
///
/// ```swift
/// let observation = try employee.observe("department.name", options: .initial) { change in
///   print(change.newValue ?? "no department")
/// }
/// employee.department = department
/// observation.cancel()
/// ```
public final class KeyObservation {
  /// Options: what is reported besides changes.
  public struct Options: OptionSet, Sendable {
    /// The flags.
    public let rawValue: Int

    /// Makes a set of flags.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The value of the time at which the observation begins.
    public static let initial = Self(rawValue: 1 << 0)
    /// Each change also before it is made.
    public static let prior = Self(rawValue: 1 << 1)
  }

  let keyPath: String
  let options: Options
  /// The key path itself, and those that it depends on.
  let paths: [[String]]
  /// The objects that are being observed.
  var places: Set<ObjectIdentifier> = []
  private weak var object: ManagedObject?
  private weak var context: ManagedObjectContext?
  private let handler: (KeyChange) -> Void
  /// The value that was last reported or read; nil where the object was a fault then.
  private var known: Any??
  private var isCancelled = false

  init(
    _ object: ManagedObject, _ context: ManagedObjectContext, _ keyPath: String, _ options: Options,
    paths: [[String]], _ handler: @escaping (KeyChange) -> Void
  ) {
    (self.object, self.context, self.keyPath, self.options) = (object, context, keyPath, options)
    (self.paths, self.handler) = (paths, handler)
    known = object.state.contains(.fault) ? nil : .some(presentValue)
  }

  deinit { cancel() }

  /// Ends the observation; nothing is reported from then on. On the context's queue.
  public func cancel() {
    isCancelled = true
    context?.delivery.keyObservers?.remove(self)
  }

  // MARK: Watching

  /// The objects along the paths as far as they are in memory, with the key that is watched of each.
  var watched: [(object: ManagedObject, key: String)] {
    guard let object else { return [] }
    var watched: [(object: ManagedObject, key: String)] = []
    for path in paths {
      var step: ManagedObject? = object
      for (index, key) in path.enumerated() {
        guard let owner = step else { break }
        watched.append((owner, key))
        guard index < path.count - 1, !owner.state.contains(.fault) else { break }
        step = try? owner.object(forKey: key)
      }
    }
    return watched
  }

  // MARK: Reporting

  /// The value of now, which later changes do not alter; nil where it cannot be read.
  private var presentValue: Any? {
    (try? object?.value(forKeyPath: keyPath)).flatMap { MemberValues.plain($0) }
  }

  func reportInitial() {
    if options.contains(.initial) {
      notify(KeyChange(keyPath: keyPath, oldValue: nil, newValue: known ?? nil))
    }
  }

  func reportPrior() {
    guard options.contains(.prior) else { return }
    var change = KeyChange(keyPath: keyPath, oldValue: known ?? nil, newValue: nil)
    change.isPrior = true
    notify(change)
  }

  func report() {
    guard object != nil else { return }
    let value = presentValue
    var change = KeyChange(keyPath: keyPath, oldValue: known ?? nil, newValue: value)
    known = .some(value)
    change.compareMembers()
    notify(change)
  }

  /// Reports that the object has become a fault, or has its values again; nothing is read for it.
  func reportFaulting() {
    guard let object else { return }
    let value = object.state.contains(.fault) ? nil : presentValue
    var change = KeyChange(keyPath: keyPath, oldValue: known ?? nil, newValue: value)
    change.isFaulting = true
    known = object.state.contains(.fault) ? nil : .some(value)
    notify(change)
  }

  private func notify(_ change: KeyChange) { if !isCancelled { handler(change) } }
}
