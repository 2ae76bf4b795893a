extension ModelRule {
  /// The rules that look at a model and at the objects of a store.
  static let ofStores = [requiredWithoutDefault, notUnique, valuesBreakLimits, alwaysNil, textLooksTyped]

  /// MDL-103, MIG-103 to MIG-105.
  public static let requiredWithoutDefault = ModelRule(
    "required-without-default",
    "Objects of the store lack a value that the model requires and has no default for.",
    reason: "A migration to the model is refused, or objects cannot be saved once they are changed.",
    remedy: "Give the attribute a default, or make it optional.", scope: .store)

  /// MDL-291.
  public static let notUnique = ModelRule(
    "not-unique", "Values in the store are not as unique as the model asks.",
    reason: "A migration to the model is refused as long as there are duplicates.",
    remedy: "Make the values differ first, or widen the constraint.", scope: .store)

  /// MDL-148 to MDL-150.
  public static let valuesBreakLimits = ModelRule(
    "values-break-limits", "Values in the store break a limit, length or pattern of their attribute.",
    reason: "Each such object cannot be saved once it is changed.",
    remedy: "Correct the values, or widen the limit.", scope: .store)

  /// An attribute that nobody uses.
  public static let alwaysNil = ModelRule(
    "always-nil", "No object of the store has a value for an attribute.",
    reason: "The attribute costs room in every row and attention of every reader.",
    remedy: "Remove it if nothing uses it any more.", scope: .store)

  /// Text that is something else.
  public static let textLooksTyped = ModelRule(
    "text-looks-typed", "All values of a string attribute read as numbers or as dates.",
    reason: "Text compares and sorts as text: \"10\" comes before \"9\".",
    remedy: "Make it a number or a date, unless the text is only a label.", scope: .store)
}
