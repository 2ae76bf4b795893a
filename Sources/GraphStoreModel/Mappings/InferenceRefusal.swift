import Foundation

/// A reason why a part of a migration cannot be inferred, and what to do about it.
///
/// ```swift
/// do {
///   print(try CheckedMapping(mapping: nil, from: old, to: new).entityMappings.count)
/// } catch let error as InferenceError {
///   for refusal in error.refusals { print(refusal.path, refusal.reason, refusal.remedy) }
/// }
/// ```
public struct InferenceRefusal: Hashable, Sendable {
  /// The entity, by its name in the destination.
  public var entity: String
  /// The property, by its name in the destination (`address.city` for an element); nil where it is about the
  /// entity.
  public var property: String?
  /// The old value; nil for something new.
  public var old: String?
  /// The new value; nil for something removed.
  public var new: String?
  /// Why it cannot be inferred.
  public var reason: String
  /// The remedy, as a sentence.
  public var remedy: String

  /// Makes a refusal.
  public init(
    entity: String, property: String? = nil, old: String? = nil, new: String? = nil, reason: String,
    remedy: String
  ) {
    self.entity = entity
    self.property = property
    self.old = old
    self.new = new
    self.reason = reason
    self.remedy = remedy
  }

  /// Where it is: `Employee`, or `Employee.salary`.
  public var path: String { [entity, property].compactMap { $0 }.joined(separator: ".") }
}

extension InferenceRefusal: CustomStringConvertible {
  /// One line: path, old and new value, reason and remedy.
  public var description: String {
    let change = [old, new].compactMap { $0 }.joined(separator: " → ")
    return "\(path)\(change.isEmpty ? "" : " (\(change))"): \(reason). \(remedy)"
  }
}

/// A migration that cannot be inferred, with every reason.
///
/// ```swift
/// do {
///   let inferred = try MappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
///   print(inferred.entityMappings.map(\.name))
/// } catch let error as InferenceError {
///   print(error.refusals.map(\.path))
/// }
/// ```
public struct InferenceError: Error, Hashable, Sendable {
  /// The reasons, in the order of the destination model; never empty.
  public let refusals: [InferenceRefusal]

  /// Makes an error of its reasons.
  public init(_ refusals: [InferenceRefusal]) { self.refusals = refusals }

  /// The stable code.
  public var code: String { "not-inferable" }
  /// The number that belongs to the code.
  public var number: Int { 134_190 }
}

extension InferenceError: CustomStringConvertible {
  /// One line a reason.
  public var description: String { refusals.map(\.description).joined(separator: "\n") }
}

extension InferenceError: LocalizedError {
  /// The error as ``description`` has it.
  public var errorDescription: String? { description }
}
