/// The attributes of each element of Xcode's models, in the order Xcode writes them.
///
/// Those without meaning to a store are kept unchanged under `xcode`.
enum XMLAttributeNames {
  static let model = [
    "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
    "sourceLanguage", "macOSVersion", "iOSVersion", "usedWithCloudKit", "usedWithSwiftData",
    "userDefinedModelVersionIdentifier",
  ]
  static let entity = [
    "name", "representedClassName", "parentEntity", "isAbstract", "versionHashModifier", "elementID",
    "syncable", "coreSpotlightDisplayNameExpression", "codeGenerationType",
  ]
  static let attribute = [
    "name", "optional", "transient", "attributeType", "minValueString", "maxValueString",
    "minDateTimeInterval", "maxDateTimeInterval", "defaultValueString", "defaultDateTimeInterval",
    "regularExpressionString", "valueTransformerName", "customClassName", "derived",
    "derivationExpression", "compositeAttribute", "usesScalarValueType", "indexed",
    "allowsExternalBinaryDataStorage", "allowsCloudEncryption", "preserveAfterDeletion",
    "preservesValueInHistoryOnDeletion", "spotlightIndexingEnabled", "storedInTruthFile",
    "versionHashModifier", "elementID", "syncable",
  ]
  static let relationship = [
    "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
    "destinationEntity", "inverseName", "inverseEntity", "indexed", "spotlightIndexingEnabled",
    "storedInTruthFile", "versionHashModifier", "elementID", "syncable",
  ]
  static let fetchedProperty = [
    "name", "optional", "versionHashModifier", "elementID", "spotlightIndexingEnabled", "syncable",
  ]
  static let fetchRequest = [
    "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
    "includeSubentities", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
    "returnDistinctResults",
  ]
  static let fetchIndex = ["name", "partialIndexPredicateString"]
  static let fetchIndexElement = ["property", "expression", "expressionType", "type", "order"]
  static let configuration = ["name", "usedWithCloudKit"]

  /// The names of all attributes.
  static let all = Set(
    model + entity + attribute + relationship + fetchedProperty + fetchRequest + fetchIndex
      + fetchIndexElement + configuration)

  /// The header that Xcode's tools write; used for models that no tool wrote.
  static let defaultHeader: [String: JSONValue] = [
    "lastSavedToolsVersion": "22522", "systemVersion": "23C71", "minimumToolsVersion": "Automatic",
    "sourceLanguage": "Swift",
  ]
}
