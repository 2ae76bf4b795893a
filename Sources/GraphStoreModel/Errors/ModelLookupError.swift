import Foundation
import GraphStorePredicates

/// A name that a model was asked for and does not have.
///
/// A type of its own beside ``ModelError``: here the model is right and the name that a program gave is not,
/// so there is no position in a file, and there are names to choose from.
///
/// It knows which name was probably meant:
///
/// ```swift
/// do {
///   print(try model.entity(named: "Employe").name)
/// } catch {
///   print(error.code, error.suggestions)  // unknown-entity ["Employee"]
/// }
/// ```
public struct ModelLookupError: Error, Hashable, Sendable {
  /// Kind of a name that was looked up.
  public enum Kind: String, Hashable, Sendable {
    /// An entity.
    case entity
    /// A configuration.
    case configuration
    /// A stored fetch request.
    case template
  }

  /// The kind of the name that was looked up.
  public let kind: Kind
  /// The name that was not found.
  public let name: String
  /// The names that are near it, nearest first, at most three.
  public let suggestions: [String]
  /// The names there are.
  public let available: [String]

  /// Makes an error for `name`, with the near names among `available`.
  public init(_ kind: Kind, named name: String, available: [String]) {
    self.kind = kind
    self.name = name
    self.available = available
    self.suggestions = NearestNames.names(near: name, among: available)
  }

  /// The stable code.
  public var code: String {
    switch kind {
    case .entity: "unknown-entity"
    case .configuration: "unknown-configuration"
    case .template: "unknown-template"
    }
  }

  /// The sentence without suggestions.
  public var message: String {
    switch kind {
    case .entity: "Cannot perform operation since entity with name '\(name)' cannot be found"
    case .configuration: "The model has no configuration with name '\(name)'"
    case .template: "The model has no fetch request with name '\(name)'"
    }
  }
}

extension ModelLookupError: CustomStringConvertible {
  /// The sentence, the nearest name, and the list of names when there are at most 20.
  public var description: String {
    var text = message
    if let nearest = suggestions.first { text += "; did you mean '\(nearest)'?" }
    if !available.isEmpty, available.count <= 20 {
      text += " (there are: \(available.joined(separator: ", ")))"
    }
    return text
  }
}

/// Spelling suggestions for names, up to a number of comparisons, so that a file full of problems is read as
/// fast as a good one.
struct NameSuggestions {
  private var comparisonsLeft = 20_000

  /// The candidate next to a name; nil where none is near, and when there were too many comparisons before.
  mutating func nearest(to name: String, among candidates: [String]) -> String? {
    comparisonsLeft -= candidates.count
    guard comparisonsLeft >= 0 else { return nil }
    return NearestNames.names(near: name, among: candidates).first
  }
}

extension ModelLookupError: LocalizedError {
  /// The error as ``description`` has it.
  public var errorDescription: String? { description }
}
