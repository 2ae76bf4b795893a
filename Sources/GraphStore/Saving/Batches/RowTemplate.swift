import GraphStoreModel

/// An object of no record by whose setters the values of rows are set: with the conversions and checks that
/// all objects have, and without hooks.
final class RowTemplate {
  let object: ManagedObject
  private let context: ManagedObjectContext
  private var block: RowBlock
  /// The fields that have to have a value.
  private let mandatory: [PropertyLayout]

  /// - Parameter type: The class of the object.
  init(
    _ layout: EntityLayout, as type: ManagedObject.Type = ManagedObject.self, in context: ManagedObjectContext
  ) {
    self.context = context
    object = type.init(context.originOfInsertion(layout))
    object.changeState(removing: .awakening)
    context.registry.register(object)
    block = RowBlock(layout: layout, capacity: RowBlock.capacity)
    mandatory = layout.fields.filter {
      !$0.isOptional && $0.isPersistent && $0.relationship < 0 && !$0.isDerived
    }
  }

  var layout: EntityLayout { object.layout }

  /// Begins a row with the model's defaults.
  func beginDefaults() { begin { $0.appendDefaults() } }

  /// Begins a row with the values of another one.
  func begin(copying row: Row) { begin { $0.appendRow(copying: row) } }

  private func begin(_ append: (RowBlock) -> Int) {
    if !block.hasRoom { block = RowBlock(layout: layout, capacity: RowBlock.capacity) }
    object.setRow(block, append(block))
    // It keeps which properties are set, and is made anew only where that is not all that it has come to
    // keep: to make one takes as long as to set the values of a record.
    if object.extra?.forgetSettings() == true { return }
    object.dropAttachment()
    _ = object.ensureExtra()
  }

  /// The stored attribute that a key names.
  ///
  /// - Throws: `unknown-key`; `invalid-property` for what a batch request cannot set.
  func attribute(_ key: String) throws -> PropertyLayout {
    let property = try object.property(forKey: key)
    guard property.attribute != nil, property.isPersistent, !property.isDerived else {
      throw GraphStoreError.invalidBatchProperty(property, of: layout)
    }
    return property
  }

  /// Sets an attribute, as ``ManagedObject/setValue(_:forKey:)`` does, past an accessor of the class.
  func set(_ value: Any?, of property: PropertyLayout) throws {
    try object.setStoredValue(value, of: property)
  }

  /// The row, and the properties that were set, with the elements of composite attributes among
  /// ``EntityLayout/fields``.
  ///
  /// - Throws: `invalid-property` where a relationship was set; what setters could not throw.
  func end() throws -> (row: Row, changed: PropertySet) {
    if let error = context.saving.deferredErrors.first {
      context.saving.deferredErrors = []
      throw error
    }
    guard let row = object.currentRow, let extra = object.extra else {
      throw GraphStoreError(
        .contextBusy, "The context of a batch request was reset while its objects were described.",
        remedy: "Set attributes of the object, and do nothing else with it.", entity: layout.entity.name)
    }
    try checkRelationships(row, extra)
    if let failure = object.untransformedFailures().first { throw failure }
    return (row, fields(extra.written))
  }

  private func checkRelationships(_ row: Row, _ extra: ObjectExtra) throws {
    let written = extra.written
    for relationship in layout.relationships where written.contains(relationship.number) {
      throw GraphStoreError.invalidBatchProperty(layout.properties[relationship.number], of: layout)
    }
  }

  private func fields(_ written: PropertySet) -> PropertySet {
    var fields = written
    for composite in layout.composites where written.contains(composite.number) {
      for leaf in composite.leaves { fields.insert(layout.field(of: leaf)) }
    }
    return fields
  }
}

extension RowTemplate {
  /// The rules that attributes of the row break.
  ///
  /// - Parameters:
  ///   - written: The properties in question; nil for all.
  ///   - isWhole: Whether all rules count; else whether mandatory values are there.
  func failures(_ row: Row, among written: PropertySet?, isWhole: Bool) throws -> [GraphStoreError] {
    if !isWhole, !isLackingValue(row, among: written) { return [] }
    let missing = ValueViolation.Code.missingMandatoryProperty.rawValue
    return try layout.attributeFailures(row, context.validationEvaluators).filter { failure in
      guard isWhole || failure.number == missing else { return false }
      guard let written else { return true }
      let name = failure.property?.split(separator: ".").first.map(String.init) ?? ""
      return layout.property(named: name).map { written.contains($0.number) } ?? false
    }
  }

  private func isLackingValue(_ row: Row, among written: PropertySet?) -> Bool {
    mandatory.contains { written?.contains($0.number) != false && !row.hasValue(of: $0) }
      || !layout.unheldDemands.isEmpty
  }
}

extension GraphStoreError {
  /// The error of a property that a batch request cannot set.
  static func invalidBatchProperty(_ property: PropertyLayout, of layout: EntityLayout) -> GraphStoreError {
    let kind =
      if property.relationship >= 0 {
        "a relationship"
      } else if property.attribute == nil {
        "a fetched property"
      } else {
        property.isDerived ? "derived" : "transient"
      }
    return GraphStoreError(
      .invalidProperty,
      "\(layout.entity.name).\(property.name) is \(kind), which a batch request cannot set.",
      remedy: "Name stored attributes; set links by objects, or by the keys of an import.",
      entity: layout.entity.name, property: property.name)
  }
}
