import GraphStorePredicates

/// A number that may be missing (MDL-347).
///
/// A derived or transient number is computed, and of a unique one no value means that it takes no part in the
/// constraint.
enum OptionalNumberRule: LintRule {
  static let rule = ModelRule(
    "optional-number", "An attribute of a number type is optional.",
    reason: "A missing number is not 0: it is in no range, sums leave it out, and a search for 0 misses it.",
    remedy:
      "Nothing, if a missing value has a meaning of its own; else make it mandatory, with a default if one is right for every object.",
    isOptIn: true)

  static func check(_ model: LintedModel, report: inout LintReport) {
    for attribute in model.attributes {
      let definition = attribute.definition
      guard definition.type.isNumber, definition.isOptional, !attribute.isElement,
        definition.derivation == nil,
        !definition.isTransient, !isUnique(attribute, in: model)
      else { continue }
      report.add(at: attribute.path, "\(attribute.label) is \(phrase(definition.type)) that may be missing.")
    }
  }

  private static func phrase(_ type: AttributeType) -> String {
    NullifyIntoMandatoryRule.article(type.rawValue)
  }

  private static func isUnique(_ attribute: LintedModel.Attribute, in model: LintedModel) -> Bool {
    model.family(of: attribute.entity).contains { entity in
      model.definition.entities[entity].uniquenessConstraints.contains {
        $0.contains(attribute.definition.name)
      }
    }
  }
}

/// Bytes that are always kept in the row (MDL-348).
enum InlineBinaryRule: LintRule {
  static let rule = ModelRule(
    "inline-binary", "A binary attribute lies in the row.",
    reason: "Large values make every row of the entity slow to read, also where they are not looked at.",
    remedy: "Move large values to an entity of their own, which is read only when it is asked for.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for attribute in model.attributes
    where attribute.definition.type == .binary && !attribute.definition.externalStorage
      && !attribute.definition.isTransient
    {
      report.add(at: attribute.path, "\(attribute.label) keeps its bytes in the row, however many they are.")
    }
  }
}

/// A default that the attribute itself refuses (MDL-153).
enum DefaultBreaksConstraintRule: LintRule {
  static let rule = ModelRule(
    "default-breaks-constraint", "A default breaks a constraint or a validation of its own attribute.",
    reason: "Every new object is invalid until the program has set another value.",
    remedy: "Change the default or the constraint; without a default the value starts as missing.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (attribute, path) in model.describedAttributes { check(attribute, at: path, report: &report) }
  }

  private static func check(_ attribute: AttributeDescription, at path: ModelPath, report: inout LintReport) {
    guard !attribute.defaultValue.isNull else { return }
    for violation in attribute.validate(attribute.defaultValue) {
      report.add(
        at: path.key("default"), "The default of \(attribute) breaks a constraint: \(violation.message).")
    }
    let validator = PredicateTypeChecker(attribute: attribute)
    for validation in attribute.validations {
      guard let predicate = try? validator.check(validation.predicate),
        let holds = try? PredicateEvaluator(predicate).evaluate(.value(attribute.defaultValue)), !holds
      else { continue }
      report.add(
        at: path.key("default"), "The default of \(attribute) breaks the validation \(validation.text).")
    }
  }
}

/// The insecure archive of old, asked for by name (MDL-163).
enum DefaultTransformerNamedRule: LintRule {
  static let rule = ModelRule(
    "default-transformer-named", "A transformable attribute names the insecure keyed archive of old.",
    reason: "It is taken to mean the default, which holds plain values and no other classes.",
    remedy: "Take \"transformer\" away, or name a transformer of your own.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for attribute in model.attributes where attribute.definition.type == .transformable {
      guard let name = attribute.definition.transformer,
        TransformerName.stem(name) == "KeyedUnarchiveFromData"
      else {
        continue
      }
      report.add(
        at: attribute.path.key("transformer"),
        "\(attribute.label) names \(name), which means the default archive.")
    }
  }
}

/// A validation that does not fit the values it is about.
enum ValidationCannotRunRule: LintRule {
  static let rule = ModelRule(
    "validation-cannot-run", "A validation of an attribute does not fit the attribute's type.",
    reason: "No object that has a value can be saved: the check itself fails.",
    remedy: "Write the predicate about SELF, which is the value.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (attribute, path) in model.describedAttributes { check(attribute, at: path, report: &report) }
  }

  private static func check(_ attribute: AttributeDescription, at path: ModelPath, report: inout LintReport) {
    for (position, validation) in attribute.validations.enumerated() {
      let validator = PredicateTypeChecker(attribute: attribute, source: validation.text)
      for problem in validator.problems(in: validation.predicate) {
        report.add(
          at: path.item("validations", position).key("predicate"),
          "The validation \(validation.text) of \(attribute) cannot run: \(problem.message)",
          remedy: problem.hint)
      }
    }
  }
}
