import GraphStorePredicates

extension ModelValidator {
  /// The deepest nesting of composite attributes.
  static let maximumCompositeDepth = 8

  mutating func checkAttribute(
    _ attribute: AttributeDefinition, at path: ModelPath, compositeDepth: Int = 0
  ) -> AttributeParts {
    var parts = AttributeParts()
    parts.validations = checkValidations(attribute.validations, at: path)
    if attribute.derivation != nil {
      checkDerivedAttribute(attribute, at: path, isElement: compositeDepth > 0)
      return parts
    }
    // Nothing else can be checked of an attribute of unknown type.
    guard !hasProblem(at: path.key("type")) else { return parts }
    if attribute.type == .undefined, !attribute.isTransient {
      report(
        .notApplicable, at: path.key("type"), value: "undefined",
        "Only a transient attribute can be of type undefined.",
        remedy: "Set \"transient\" to true or give it another type.")
    }
    checkApplicability(attribute, at: path)
    if attribute.type != .transformable, attribute.type != .composite, attribute.type != .undefined {
      parts.defaultValue = decode(attribute.defaultValue, attribute.type, at: path.key("default")) ?? .null
    }
    if attribute.type.isNumber || attribute.type == .date {
      parts.minimum = decode(attribute.minimum, attribute.type, at: path.key("min"))
      parts.maximum = decode(attribute.maximum, attribute.type, at: path.key("max"))
      if let minimum = parts.minimum, let maximum = parts.maximum, maximum.precedes(minimum) {
        report(
          .badValue, at: path.key("min"), value: attribute.minimum.map { JSONWriter.text($0) },
          "The minimum \(Self.text(attribute.minimum)) is above the maximum \(Self.text(attribute.maximum)).")
      }
    }
    checkLengths(attribute, at: path)
    parts.matcher = checkPattern(attribute, at: path)
    if attribute.type == .composite {
      parts.elements = checkElements(attribute, at: path, compositeDepth: compositeDepth)
    }
    return parts
  }

  private static func text(_ value: JSONValue?) -> String { value.map { JSONWriter.text($0) } ?? "" }

  private mutating func checkApplicability(_ attribute: AttributeDefinition, at path: ModelPath) {
    let type = attribute.type
    let hasNoDefault = type == .transformable || type == .composite || type == .undefined
    let hasLimits = type.isNumber || type == .date
    func refuse(_ key: String, if isThere: Bool, _ reason: String) {
      guard isThere else { return }
      report(.notApplicable, at: path.key(key), "An attribute of type \(type.rawValue) \(reason).")
    }
    refuse("default", if: hasNoDefault && attribute.defaultValue != nil, "cannot have a default")
    refuse("min", if: !hasLimits && attribute.minimum != nil, "has no minimum; numbers and dates have")
    refuse("max", if: !hasLimits && attribute.maximum != nil, "has no maximum; numbers and dates have")
    refuse("minLength", if: type != .string && attribute.minLength != nil, "has no length; strings have")
    refuse("maxLength", if: type != .string && attribute.maxLength != nil, "has no length; strings have")
    refuse("pattern", if: type != .string && attribute.pattern != nil, "cannot match a pattern; strings can")
    refuse("transformer", if: type != .transformable && attribute.transformer != nil, "needs no transformer")
    refuse(
      "externalStorage", if: type != .binary && attribute.externalStorage,
      "is never stored outside; binary is")
    refuse(
      "attributes", if: type != .composite && !attribute.elements.isEmpty, "has no elements; a composite has")
  }

  private mutating func checkLengths(_ attribute: AttributeDefinition, at path: ModelPath) {
    guard attribute.type == .string else { return }
    for (length, key) in [(attribute.minLength, "minLength"), (attribute.maxLength, "maxLength")] {
      if let length, length < 0 {
        report(.badValue, at: path.key(key), value: String(length), "A length cannot be negative.")
      }
    }
    if let least = attribute.minLength, let greatest = attribute.maxLength, least > greatest {
      report(
        .badValue, at: path.key("minLength"), value: String(least),
        "The minimum length \(least) is above the maximum length \(greatest).")
    }
  }

  private mutating func checkPattern(_ attribute: AttributeDefinition, at path: ModelPath) -> StringPattern? {
    guard attribute.type == .string, let pattern = attribute.pattern else { return nil }
    if trustsPatterns { return StringPattern(checkedBefore: pattern) }
    let matcher = StringPattern(pattern)
    if matcher == nil {
      report(
        .badExpression, at: path.key("pattern"), value: pattern,
        "\"\(pattern)\" is not a regular expression.")
    }
    return matcher
  }

  private mutating func checkElements(
    _ attribute: AttributeDefinition, at path: ModelPath, compositeDepth: Int
  ) -> [AttributeParts] {
    guard compositeDepth < Self.maximumCompositeDepth else {
      report(
        .badValue, at: path.key("attributes"),
        "Composite attributes nest at most \(Self.maximumCompositeDepth) levels.")
      return []
    }
    if attribute.elements.isEmpty {
      report(.badValue, at: path.key("attributes"), "A composite attribute needs at least one element.")
    }
    var names: [String: Int] = [:]
    return attribute.elements.enumerated().map { position, element in
      let place = path.item("attributes", position)
      if !hasProblem(at: place.key("name")) {
        checkPropertyName(element.name, at: place.key("name"))
        if let first = names[element.name] {
          report(
            .duplicateName, at: place.key("name"), value: element.name,
            "The name \"\(element.name)\" is already used by \(path.item("attributes", first)).")
        } else {
          names[element.name] = position
        }
      }
      if element.isTransient {
        report(.notApplicable, at: place.key("transient"), "An element of a composite cannot be transient.")
      } else if element.type == .undefined, element.derivation == nil {
        report(
          .notApplicable, at: place.key("type"), value: "undefined",
          "An element of a composite cannot be of type undefined.")
        return AttributeParts()
      }
      return checkAttribute(element, at: place, compositeDepth: compositeDepth + 1)
    }
  }

  private mutating func decode(
    _ value: JSONValue?, _ type: AttributeType, at path: @autoclosure () -> ModelPath
  ) -> Value? {
    guard let value, !hasProblem(at: path()) else { return nil }
    do {
      return try AttributeValueReader(type: type, zone: .required).value(fromModel: value)
    } catch {
      report(.badValue, at: path(), value: error.value, error.message)
      return nil
    }
  }

  mutating func checkValidations(
    _ validations: [ValidationDefinition], at path: ModelPath
  ) -> [PropertyValidation] {
    validations.enumerated().compactMap { position, validation in
      let place = path.item("validations", position).key("predicate")
      return parsePredicate(validation.predicate, at: place).map {
        PropertyValidation(predicate: $0, text: validation.predicate, message: validation.message)
      }
    }
  }
}

extension Value {
  /// Whether one limit is below another of the same attribute.
  func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.int(let left), .int(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    default: false
    }
  }
}
