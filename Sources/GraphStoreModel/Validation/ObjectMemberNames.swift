/// Names that every object has for members of its own (MDL-064).
package enum ObjectMemberNames {
  /// The names. A property that has one of them is reached by its key, and a class declares it under another.
  package static let all: Set<String> = [
    "super", "class", "superclass", "init", "copy", "description", "debugDescription", "hash", "hashValue",
    "entity", "objectID", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault",
    "hasChanges", "hasPersistentChangedValues", "faultingState", "changedValues", "committedValues",
    "primitiveValue", "awakeFromInsert", "awakeFromFetch", "willSave", "didSave", "willTurnIntoFault",
    "didTurnIntoFault", "prepareForDeletion", "validateForInsert", "validateForUpdate", "validateForDelete",
  ]
}
