/// What happens to relationships when an object is copied, or moved to another store.
///
/// Relationships that are not named are left out.
///
/// ```swift
/// var rules = CopyRules()
/// rules["Order", "lines"] = .copy
/// rules["OrderLine", "product"] = .reference
/// ```
public struct CopyRules: Sendable {
  /// What happens to one relationship (OBJ-442).
  public enum Treatment: Sendable {
    /// The copy's is empty.
    case skip
    /// The copy has the same destinations as the original.
    case reference
    /// The destinations are copied too, each once, and the copy has the copies (OBJ-444).
    case copy
  }

  /// By entity and relationship.
  private(set) var treatments: [String: [String: Treatment]] = [:]
  /// Whether `reference` may take destinations away from the original, whose inverse is to-one (OBJ-443).
  public var allowsMoving = false
  /// How many objects a copy may have (OBJ-445).
  public var maximumObjects = 10_000

  /// Rules that leave out all relationships.
  public init() {}

  /// What happens to a relationship of an entity, and of the entities below it that have no rule of their own.
  public subscript(entity: String, relationship: String) -> Treatment {
    get { treatments[entity]?[relationship] ?? .skip }
    set { treatments[entity, default: [:]][relationship] = newValue }
  }
}
