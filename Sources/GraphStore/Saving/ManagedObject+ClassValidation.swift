import GraphStoreModel
import GraphStorePredicates

/// A property that the class of an object is checking.
struct RunningValidator: Equatable {
  let object: ObjectIdentifier
  let key: String
}

/// Rules that a class has for its properties.
extension ManagedObject {
  /// Runs the class's checks of the properties of which the model's constraints hold, and sets its
  /// replacements of values; its failures are added (OBJ-346, OBJ-353).
  final func collectClassFailures(_ failures: inout [GraphStoreError]) {
    guard let context else { return }
    let broken = failures.isEmpty ? [] : Set(failures.compactMap { $0.property?.prefix { $0 != "." } })
    // From inside a check each one is looked up among those that are running, which a save can do without.
    let isNested = context.validation.validatorOfSave != nil || !context.validation.runningValidators.isEmpty
    defer { if !isNested { context.validation.validatorOfSave = nil } }
    for property in layout.validatedProperties where broken.isEmpty || !broken.contains(property.name[...]) {
      if property.isToMany, !isToManyToBeValidated(property.number) { continue }
      do {
        var proposed = ProposedValue(of: property.number, object: self)
        if isNested {
          try runValidator(property.name, &proposed)
        } else {
          context.validation.validatorOfSave = (ObjectIdentifier(self), property.number)
          try validateProperty(property.name, value: &proposed)
        }
        if let replacement = proposed.replacement {
          try replace(layout.properties[property.number], by: replacement.value)
        }
      } catch {
        failures.append(
          .failure(
            error, of: self, key: property.name, value: presentValue(of: layout.properties[property.number])))
      }
    }
  }

  /// Runs the class's check of a property.
  ///
  /// - Throws: `recursive-validation` where the same check is running.
  final func runValidator(_ key: String, _ proposed: inout ProposedValue) throws {
    guard let context else { return }
    let validator = RunningValidator(object: ObjectIdentifier(self), key: key)
    guard !context.validation.runningValidators.contains(validator), !isValidatedBySave(key, context) else {
      throw recursion(key)
    }
    context.validation.runningValidators.append(validator)
    defer { context.validation.runningValidators.removeLast() }
    try validateProperty(key, value: &proposed)
  }

  /// Whether the class's check of a property is running for a save, which keeps its number alone for speed.
  private func isValidatedBySave(_ key: String, _ context: ManagedObjectContext) -> Bool {
    guard let running = context.validation.validatorOfSave, running.object == ObjectIdentifier(self) else {
      return false
    }
    return layout.properties[running.number].name == key
  }

  /// Whether a save validates a to-many: only if it may have changed (OBJ-338).
  private func isToManyToBeValidated(_ number: Int) -> Bool {
    state.contains(.inserted) || isChangedToMany(layout.relationships[layout.properties[number].relationship])
  }

  private func presentValue(of property: PropertyLayout) -> Value? {
    guard property.kind != .toMany else { return nil }
    return try? currentRow.map { try value(of: property, in: $0) }
  }

  private func recursion(_ key: String) -> GraphStoreError {
    GraphStoreError(
      .recursiveValidation,
      "\(entity.name).\(key) of \(objectID.shortForm) was to be validated by its own validator.",
      remedy: "Look at the value that the validator was given.", entity: entity.name, property: key,
      objectID: objectID)
  }

  // MARK: Replacing

  /// Puts in what the class wants instead of a value.
  private func replace(_ property: PropertyLayout, by replacement: Any?) throws {
    if try differs(replacement, from: property) { try setStoredValue(replacement, of: property) }
  }

  /// Whether a value is another one than the object has.
  private func differs(_ replacement: Any?, from property: PropertyLayout) throws -> Bool {
    try realize()
    guard let row = currentRow else { return false }
    switch property.kind {
    case .toOne:
      return try (replacement as? ManagedObject) !== object(of: layout.relationships[property.relationship])
        || (replacement != nil && !(replacement is ManagedObject))
    case .toMany: return try differ(objects(in: replacement, property), from: property)
    case .transformable:
      let given = try replacement.map { try self.bytes(of: $0, property) } ?? Value.null
      return try given != row.value(of: property)
    case .composite: return try differs(replacement, fromComposite: property, in: row)
    case .undefined: return differs(replacement, fromUndefined: property)
    default:
      return try storable(try queryValue(replacement, property), property) != value(of: property, in: row)
    }
  }

  private func differ(_ objects: [ManagedObject], from property: PropertyLayout) throws -> Bool {
    let relationship = layout.relationships[property.relationship]
    let members = try members(of: relationship)
    return relationship.isOrdered ? ObjectSet(objects).elements != members : Set(objects) != Set(members)
  }

  /// Values that cannot be compared are taken, and count as no change: they are in memory alone.
  private func differs(_ replacement: Any?, fromUndefined property: PropertyLayout) -> Bool {
    let known = extra?.decoded[property.number]
    if let left = replacement as? AnyHashable, let right = known as? AnyHashable { return left != right }
    ensureExtra().decoded[property.number] = replacement
    return false
  }
}
