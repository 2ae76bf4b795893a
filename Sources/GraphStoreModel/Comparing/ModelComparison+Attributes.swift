import GraphStorePredicates

extension ModelComparison {
  mutating func compare(
    _ old: AttributeDescription, _ new: AttributeDescription,
    definitions: (old: AttributeDefinition, new: AttributeDefinition), path: String, of entity: String,
    isRenamed: Bool
  ) {
    let fields = ComparedField.differences(
      definitions.old.comparedFields, definitions.new.comparedFields)
    for field in fields where !(isRenamed && field.key == "renamingIdentifier") {
      if isSameValue(field.key, old: old, new: new) { continue }
      let effect = isStored(old, new) ? self.effect(ofKey: field.key, old, new) : .none
      record(
        .changed, subject: .attribute, of: entity, name: path, key: field.key, old: field.old, new: field.new,
        effect: effect,
        remedy: Self.remedy(ofKey: field.key, effect))
    }
    if old.type == .composite, new.type == .composite {
      compareElements(old, new, definitions: definitions, path: path, of: entity)
    }
  }

  /// Whether a value is only written differently, such as a decimal 0.1 and 0.10.
  private func isSameValue(
    _ key: String, old: AttributeDescription, new: AttributeDescription
  ) -> Bool {
    guard old.type == new.type else { return false }
    switch key {
    case "default": return old.defaultValue == new.defaultValue
    case "min": return old.minimum == new.minimum
    case "max": return old.maximum == new.maximum
    default: return false
    }
  }

  private func effect(
    ofKey key: String, _ old: AttributeDescription, _ new: AttributeDescription
  ) -> ModelChange.Effect {
    // Values are kept where both are stored and the new ones are not computed; else the key of that change
    // has the effect.
    let keepsValues = !old.isTransient && !new.isTransient && !new.isDerived
    switch key {
    case "type": return keepsValues ? Self.effectOfType(old.type, new.type) : .lossless
    case "optional":
      return !keepsValues || new.isOptional || ModelText.hasDefault(new)
        ? .lossless : .refused(Self.missingValues)
    case "transient":
      if !new.isTransient { return additionOf(new, concreteSuccessors(of: new)) }
      return old.isDerived ? .lossless : .lossy("its values are left behind")
    case "derivation":
      return old.isDerived || old.isTransient
        ? .lossless : .lossy("its values are replaced by computed ones")
    // The hashes do not detect it, and yet the values are written in another way.
    case ModelChange.externalStorageKey, "versionHashModifier": return .lossless
    default: return .none
    }
  }

  static func effectOfType(_ old: AttributeType, _ new: AttributeType) -> ModelChange.Effect {
    switch old.conversion(to: new) {
    case .exact: .lossless
    case .conditional: .conditional("every value must convert exactly")
    case .impossible: .refused("Source and destination attribute types are incompatible")
    }
  }

  private static func remedy(ofKey key: String, _ effect: ModelChange.Effect) -> String? {
    guard case .refused = effect else { return nil }
    return key == "type" ? typeRemedy : defaultRemedy
  }

  static let missingValues = "objects without a value would stay without one"
  static let typeRemedy = "\(mappingRemedy.dropLast()), or add an attribute under another name."
  static let defaultRemedy = "Give it a default, or \(ModelText.orMapping)"

  private mutating func compareElements(
    _ old: AttributeDescription, _ new: AttributeDescription,
    definitions: (old: AttributeDefinition, new: AttributeDefinition), path: String, of entity: String
  ) {
    let isStored = isStored(old, new)
    let pairs = NamePairing(old: old.elements.map(\.nameItem), new: new.elements.map(\.nameItem))
    for (position, element) in new.elements.enumerated() {
      let place = "\(path).\(element.name)"
      guard let source = pairs.sources[position] else {
        add(
          element, rival: pairs.winners[position].map { new.elements[$0] }, path: place, entity: entity,
          isStored: isStored)
        continue
      }
      let origin = old.elements[source]
      let isRenamed = origin.name != element.name
      if isRenamed {
        record(
          .renamed, subject: .attribute, of: entity, name: place, old: "\(path).\(origin.name)", new: place,
          effect: isStored ? .lossless : .none)
      }
      compareElement(
        origin, element, definitions: (definitions.old.elements[source], definitions.new.elements[position]),
        path: place, of: entity, isRenamed: isRenamed, isStored: isStored)
    }
    for (position, element) in old.elements.enumerated() where pairs.destinations[position] == nil {
      record(
        .removed, subject: .attribute, of: entity, name: "\(path).\(element.name)",
        old: ModelText.describe(element),
        effect: isStored ? .lossy("its values are left behind") : .none)
    }
    let names = new.elements.map(\.name)
    let former = pairs.destinations.compactMap { destination in destination.map { names[$0] } }
    recordOrder(.attribute, of: entity, named: path, key: "attributes", old: former, new: names)
  }

  /// An element is as transient as its composite is, whatever it says itself.
  private mutating func compareElement(
    _ old: AttributeDescription, _ new: AttributeDescription,
    definitions: (old: AttributeDefinition, new: AttributeDefinition), path: String, of entity: String,
    isRenamed: Bool, isStored: Bool
  ) {
    let start = changes.count
    compare(old, new, definitions: definitions, path: path, of: entity, isRenamed: isRenamed)
    if !isStored { clearEffects(from: start) }
  }

  private mutating func add(
    _ element: AttributeDescription, rival: AttributeDescription?, path: String, entity: String,
    isStored: Bool
  ) {
    var effect = isStored ? ModelText.addition(element) : .none
    var remedy: String?
    if case .refused = effect { remedy = ModelText.additionRemedy(element) }
    if let rival, isStored {
      effect = .refused(ModelText.claim(rival.name, element.name, oneOld: "element"))
      remedy = ModelText.claimRemedy(element.renamingIdentifier)
    }
    record(
      .added, subject: .attribute, of: entity, name: path, new: ModelText.describe(element), effect: effect,
      remedy: remedy)
  }
}

extension AttributeType {
  /// Conversion of values when an attribute gets another type.
  package enum Conversion {
    /// Every value has an equal one in the other type.
    case exact
    /// Some values may not have one.
    case conditional
    /// Values are not converted at all.
    case impossible
  }

  /// The conversion of values of this type to another: numbers convert into numbers, and booleans are the
  /// numbers 0 and 1.
  package func conversion(to other: AttributeType) -> Conversion {
    if self == other { return .exact }
    guard isNumeric, other.isNumeric else { return .impossible }
    if self == .boolean { return .exact }
    if let range = integerRange {
      if let wider = other.integerRange {
        return wider.lowerBound <= range.lowerBound ? .exact : .conditional
      }
      switch other {
      case .decimal: return .exact
      case .double: return self == .int64 ? .conditional : .exact
      case .float: return self == .int16 ? .exact : .conditional
      default: return .conditional
      }
    }
    return self == .float && other == .double ? .exact : .conditional
  }

  private var isNumeric: Bool { isNumber || self == .boolean }
}
