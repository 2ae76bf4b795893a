/// One entry of the difference of two models.
///
/// ```swift
/// for change in ModelDifference(from: old, to: new).changes where change.needsMigration {
///   print(change.kind, change.subject, change.path, change.effect.name)
/// }
/// ```
public struct ModelChange: Hashable, Sendable {
  /// Kind of a change.
  public enum Kind: String, Hashable, Sendable {
    /// It is in the new model only.
    case added
    /// It is in the old model only.
    case removed
    /// It has another name, and a renaming identifier says so.
    case renamed
    /// A property is declared by another entity of the tree.
    case moved
    /// One of its keys has another value.
    case changed
  }

  /// Subject of a change.
  public enum Subject: String, Hashable, Sendable {
    /// The model itself.
    case model
    /// An entity.
    case entity
    /// An attribute, or an element of a composite attribute.
    case attribute
    /// A relationship.
    case relationship
    /// A fetched property.
    case fetchedProperty = "fetched-property"
    /// An index.
    case index
    /// A uniqueness constraint.
    case uniquenessConstraint = "uniqueness-constraint"
    /// A stored fetch request.
    case fetchRequest = "fetch-request"
    /// A configuration.
    case configuration
  }

  /// Effect of a change on a migration.
  public enum Effect: Hashable, Sendable {
    /// Nothing: it concerns nothing that stores hold, so they stay compatible.
    case none
    /// All data are kept.
    case lossless
    /// All data are kept, if they satisfy a condition that only the data can decide.
    case conditional(String)
    /// Data are lost; the text says which.
    case lossy(String)
    /// It cannot be inferred; the text says why.
    case refused(String)

    /// A stable word: `none`, `lossless`, `conditional`, `lossy` or `refused`.
    public var name: String {
      switch self {
      case .none: "none"
      case .lossless: "lossless"
      case .conditional: "conditional"
      case .lossy: "lossy"
      case .refused: "refused"
      }
    }

    /// The condition, the loss or the reason; nil where there is none.
    public var detail: String? {
      switch self {
      case .none, .lossless: nil
      case .conditional(let text), .lossy(let text), .refused(let text): text
      }
    }
  }

  /// The kind of the change.
  public var kind: Kind
  /// The subject of the change.
  public var subject: Subject
  /// The entity it belongs to: its name in the new model, or in the old one where the entity was removed; nil
  /// for the model, fetch requests and configurations.
  public var entity: String?
  /// The name of the property (`address.city` for an element), index, constraint, fetch request or
  /// configuration; nil for the model and for entities.
  public var name: String?
  /// The key of the model file that has another value, such as `type` or `userInfo.color`; nil for all but
  /// ``Kind/changed``.
  public var key: String?
  /// The old value: a value as JSON or plain text, a former name, or a description of what was removed.
  public var old: String?
  /// The new value: a value as JSON or plain text, a name, or a description of what was added.
  public var new: String?
  /// The effect on a migration.
  public var effect: Effect
  /// What to do about it, as a sentence.
  public var remedy: String?

  /// Whether stores of the old model need a migration.
  public var needsMigration: Bool { effect != .none }

  /// Whether the change changes an entity's version hash, as those do that need a migration, but for how
  /// binary values are stored.
  public var changesHash: Bool { needsMigration && key != Self.externalStorageKey }

  /// The key of the one change that hashes do not detect, and after which values are written in another way.
  static let externalStorageKey = "externalStorage"

  /// Where the change is: `Employee`, `Employee.salary`, or the name of what belongs to no entity.
  public var path: String { [entity, name].compactMap { $0 }.joined(separator: ".") }
}
