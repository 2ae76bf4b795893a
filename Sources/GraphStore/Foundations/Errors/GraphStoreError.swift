import Foundation
import GraphStorePredicates

/// Error of a model, an object, a request or a store, in a form that people and programs can act on.
///
/// The ``code`` is a stable word; ``number`` is the number under which the failure is known in Core Data, or
/// one of the project's own between 136000 and 136999. Several failures of one save are thrown as one error
/// of code ``Code/multipleValidationErrors`` whose ``errors`` holds them.
///
/// ```swift
/// do {
///   try context.save()
/// } catch GraphStoreError.code(.mergeConflict) {
///   context.rollback()
/// } catch let error as GraphStoreError {
///   print(error.code.rawValue, error.message, error.remedy)
///   for failure in error.errors { print(failure.entity ?? "-", failure.property ?? "-", failure.message) }
/// }
/// ```
public struct GraphStoreError: Error, Sendable {
  /// The stable word for the kind of failure.
  public var code: Code
  /// The well-known number of the failure.
  public var number: Int
  /// One sentence in plain words that names the thing and the value.
  public var message: String
  /// What to do about it.
  public var remedy: String

  /// Storage of the parts that not every error has, so that an error is small.
  private var box: Box

  /// Makes an error; its number is the code's own unless another is passed.
  public init(
    _ code: Code, _ message: String, remedy: String, number: Int? = nil, entity: String? = nil,
    property: String? = nil, objectID: ManagedObjectID? = nil, value: Value? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.number = number ?? code.number
    self.message = ServerAddress.hidingPasswords(in: message)
    self.remedy = remedy
    box = Box(
      Parts(entity: entity, property: property, objectID: objectID, value: value, underlying: underlying))
  }
}

extension GraphStoreError {
  /// Makes an error of a rule of the application's own, with a stable word in kebab case, as ``Code`` has
  /// them of the library, and a number of the application's choice.
  public init(
    application word: String, _ message: String, remedy: String, number: Int? = nil, entity: String? = nil,
    property: String? = nil, objectID: ManagedObjectID? = nil, value: Value? = nil
  ) {
    self.init(
      .application, message, remedy: remedy, number: number, entity: entity, property: property,
      objectID: objectID, value: value)
    change { $0.word = word }
  }

  /// The stable word of the failure: that of its code, or of the application's rule.
  public var word: String { box.parts.word ?? code.rawValue }
}

// MARK: - Parts

extension GraphStoreError {
  private struct Parts {
    var word: String?
    var entity: String?
    var property: String?
    var objectID: ManagedObjectID?
    var value: Value?
    var predicate: String?
    var relatedObjects: [ManagedObjectID] = []
    var details: [String] = []
    var suggestions: [String] = []
    var errors: [GraphStoreError] = []
    var underlyingErrors: [any Error] = []
    var underlying: (any Error)?
    /// By type: what further parts of the library add.
    var extensions: [ObjectIdentifier: any Sendable] = [:]
  }

  private final class Box: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private mutating func change(_ body: (inout Parts) -> Void) {
    var parts = box.parts
    body(&parts)
    box = Box(parts)
  }

  /// A detail that a part of the library adds to errors, by its type.
  subscript<Detail: Sendable>(detail: Detail.Type) -> Detail? {
    get { box.parts.extensions[ObjectIdentifier(detail)] as? Detail }
    set { change { $0.extensions[ObjectIdentifier(detail)] = newValue } }
  }

  /// A detail that a part of the library adds to errors, with a value for an error that has none.
  subscript<Detail: Sendable>(detail: Detail.Type, default value: @autoclosure () -> Detail) -> Detail {
    get { self[detail] ?? value() }
    set { self[detail] = newValue }
  }

  /// The entity concerned.
  public var entity: String? {
    get { box.parts.entity }
    set { change { $0.entity = newValue } }
  }
  /// The property concerned.
  public var property: String? {
    get { box.parts.property }
    set { change { $0.property = newValue } }
  }
  /// The object concerned.
  public var objectID: ManagedObjectID? {
    get { box.parts.objectID }
    set { change { $0.objectID = newValue } }
  }
  /// The value that was refused.
  public var value: Value? {
    get { box.parts.value }
    set { change { $0.value = newValue } }
  }
  /// The predicate of the model that is false for the value, as the model has it.
  public var predicate: String? {
    get { box.parts.predicate }
    set { change { $0.predicate = newValue } }
  }
  /// Objects that are the obstacle or otherwise involved.
  public var relatedObjects: [ManagedObjectID] {
    get { box.parts.relatedObjects }
    set { change { $0.relatedObjects = newValue } }
  }
  /// Further lines for people: differences of a conflict, parts of a damaged store.
  public var details: [String] {
    get { box.parts.details }
    set { change { $0.details = newValue } }
  }
  /// Names that were perhaps meant.
  public var suggestions: [String] {
    get { box.parts.suggestions }
    set { change { $0.suggestions = newValue } }
  }
  /// The single failures, for a multiple one.
  public var errors: [GraphStoreError] {
    get { box.parts.errors }
    set { change { $0.errors = newValue } }
  }
  /// Failures of the same call beside this one, each of its own: those of other stores that were to be
  /// loaded.
  public var underlyingErrors: [any Error] {
    get { box.parts.underlyingErrors }
    set { change { $0.underlyingErrors = newValue } }
  }
  /// The error of another layer.
  public var underlying: (any Error)? {
    get { box.parts.underlying }
    set { change { $0.underlying = newValue } }
  }
}

extension GraphStoreError: CustomStringConvertible {
  /// The message, the code and the remedy, as a log shows them; of several failures the first twenty too, a
  /// line each.
  public var description: String { "\(message) [\(word)] \(remedy)\(listOfErrors)" }

  /// The single failures, a line each, and how many more there are (DGN-119).
  private var listOfErrors: String {
    let more = errors.count > 20 ? "\n- and \(errors.count - 20) more" : ""
    return errors.prefix(20).map { "\n- \($0.message)" }.joined() + more
  }
}

extension GraphStoreError: LocalizedError {
  /// The message; of several failures the first twenty too, a line each.
  public var errorDescription: String? { message + listOfErrors }

  /// The remedy.
  public var recoverySuggestion: String? { remedy }
}

extension GraphStoreError {
  /// Several failures as one error, flat; a single failure is returned as itself (DGN-119, DGN-120).
  ///
  /// A failure that is itself multiple adds its list, and what else it says is kept (OBJ-368).
  package static func combining(_ failures: [GraphStoreError]) -> GraphStoreError? {
    guard failures.count > 1 else { return failures.first }
    let parts = failures.flatMap(\.parts)
    let multiples = failures.filter { !$0.errors.isEmpty }
    var error = multiples.first { !$0.deliversCountAlone } ?? multiple(of: parts.count)
    error.errors = parts
    error.details = multiples.flatMap(\.details)
    error.relatedObjects = multiples.flatMap(\.relatedObjects)
    error.underlyingErrors = multiples.flatMap(\.underlyingErrors)
    return error
  }

  /// The single failures of a multiple one, however deep; of any other the failure itself.
  var parts: [GraphStoreError] { errors.isEmpty ? [self] : errors.flatMap(\.parts) }

  private static func multiple(of count: Int) -> GraphStoreError {
    GraphStoreError(
      .multipleValidationErrors, "\(count) values or links are not valid.",
      remedy: "Correct each of them and save again; nothing was written.")
  }

  /// Whether a multiple failure has no words of its own, but only how many failures there are.
  private var deliversCountAlone: Bool {
    code == .multipleValidationErrors && message == Self.multiple(of: errors.count).message
  }

  /// The error with its single failures sorted by entity, object and property; those of one property keep
  /// their order (DGN-119).
  package func sorted() -> GraphStoreError {
    var error = self
    error.errors.sort { left, right in
      let entities = (left.entity ?? "", right.entity ?? "")
      if entities.0 != entities.1 { return entities.0 < entities.1 }
      if let first = left.objectID, let second = right.objectID, first != second { return first < second }
      return (left.property ?? "") < (right.property ?? "")
    }
    return error
  }
}
