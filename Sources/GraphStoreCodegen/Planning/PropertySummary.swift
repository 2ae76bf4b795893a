import GraphStoreModel

/// What the model says of a property, in words for a documentation comment.
enum PropertySummary {
  static func text(_ attribute: AttributeDescription, _ definition: AttributeDefinition?) -> String {
    var parts = [attribute.type.rawValue]
    if attribute.isDerived {
      parts.append("computed by the store")
    } else {
      parts.append(attribute.isOptional ? "optional" : "required")
    }
    if attribute.isTransient { parts.append("never stored") }
    if let value = definition?.defaultValue.flatMap(plain) { parts.append("default \(value)") }
    if let value = definition?.minimum.flatMap(plain) { parts.append("at least \(value)") }
    if let value = definition?.maximum.flatMap(plain) { parts.append("at most \(value)") }
    switch (attribute.minLength, attribute.maxLength) {
    case (let least?, let most?): parts.append("\(least) to \(most) UTF-16 units")
    case (let least?, nil): parts.append("\(least) UTF-16 units or more")
    case (nil, let most?): parts.append("up to \(most) UTF-16 units")
    case (nil, nil): break
    }
    if let pattern = attribute.pattern { parts.append("matches `\(pattern)`") }
    return "`\(attribute.name)`: \(parts.joined(separator: ", "))."
  }

  static func text(_ relationship: RelationshipDescription) -> String {
    var parts = [
      relationship.isToMany
        ? (relationship.isOrdered ? "ordered, to many" : "to many") : "to one",
      relationship.requiresMember ? "required" : "optional",
    ]
    parts[0] += " \(relationship.destination.name)"
    if let inverse = relationship.inverse {
      parts.append("inverse `\(inverse.name)`")
    } else {
      parts.append("without inverse")
    }
    if relationship.isToMany, relationship.maxCount > 0 { parts.append("at most \(relationship.maxCount)") }
    parts.append("delete rule \(relationship.deleteRule.rawValue)")
    return "`\(relationship.name)`: \(parts.joined(separator: ", "))."
  }

  private static func plain(_ value: JSONValue) -> String? {
    switch value {
    case .bool(let flag): "\(flag)"
    case .number(let text): text
    case .string(let text): text.isEmpty ? nil : "`\(text)`"
    case .null, .array, .object: nil
    }
  }
}
