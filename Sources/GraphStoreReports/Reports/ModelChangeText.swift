import GraphStore

/// A change of a model in words.
enum ModelChangeText {
  /// Where it is: `Employee.salary`, `model`, or what belongs to no entity by its name.
  static func place(_ change: ModelChange) -> String {
    switch change.subject {
    case .model: "model"
    case .uniquenessConstraint: change.entity ?? ""
    default: change.path
    }
  }

  /// What it is: `int32 → decimal`, `string, required`, `renamed from Department (renamingIdentifier)`.
  static func text(_ change: ModelChange) -> String {
    switch change.kind {
    case .added: described(change, change.new)
    case .removed: described(change, change.old)
    case .renamed: "renamed from \(change.old ?? "") (renamingIdentifier)"
    case .moved: "moved from \(change.old ?? "")"
    case .changed: prefix(change) + values(change)
    }
  }

  /// What a migration makes of it.
  static func effect(_ change: ModelChange) -> String {
    switch change.effect {
    case .none: "no migration"
    case .lossless: "lossless"
    case .conditional(let condition): "checked: \(condition)"
    case .lossy(let loss):
      change.kind == .removed ? "data lost" : "data lost: \(loss)"
    case .refused(let reason): "not inferable: \(reason)"
    }
  }

  /// The word for a subject that its place does not tell.
  private static func word(_ subject: ModelChange.Subject) -> String? {
    switch subject {
    case .entity: "entity"
    case .fetchRequest: "fetch request"
    case .configuration: "configuration"
    case .index: "index"
    case .uniquenessConstraint: "unique"
    case .model, .attribute, .relationship, .fetchedProperty: nil
    }
  }

  private static func described(_ change: ModelChange, _ text: String?) -> String {
    guard let word = word(change.subject) else { return text ?? "" }
    guard let text, !text.isEmpty else { return word }
    return change.subject == .entity ? "\(word), \(text)" : "\(word) \(text)"
  }

  private static func prefix(_ change: ModelChange) -> String {
    switch change.subject {
    case .fetchRequest, .configuration, .index: "\(word(change.subject) ?? "") "
    case .uniquenessConstraint: "unique, "
    case .model, .entity, .attribute, .relationship, .fetchedProperty: ""
    }
  }

  private static func values(_ change: ModelChange) -> String {
    let key = change.key ?? ""
    let old = change.old ?? "none"
    let new = change.new ?? "none"
    if let words = words[key], let before = words[old], let after = words[new] {
      return "\(before) → \(after)"
    }
    switch key {
    case "type", "destination", "kind": return "\(old) → \(new)"
    case "entities" where change.subject == .model, "attributes", "relationships", "fetchedProperties":
      return "order of \(key): \(new)"
    case "order": return "order of attributes: \(new)"
    default: return "\(key) \(old) → \(new)"
    }
  }

  /// Words for keys that are true or false.
  private static let words = [
    "abstract": ["false": "concrete", "true": "abstract"],
    "optional": ["false": "required", "true": "optional"],
    "ordered": ["false": "unordered", "true": "ordered"],
    "toMany": ["false": "to-one", "true": "to-many"],
    "transient": ["false": "stored", "true": "transient"],
  ]
}
