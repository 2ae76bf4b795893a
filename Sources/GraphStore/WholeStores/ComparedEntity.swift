import GraphStoreModel

/// An entity that two stores have, and the columns that are compared.
struct ComparedEntity {
  let old: StoredShape
  let new: StoredShape
  private(set) var columns: [ComparedColumn] = []
  /// Those of ``columns``.
  private(set) var places: [ComparedColumn.Place] = []
  private(set) var mismatches: [ModelMismatch] = []

  init(_ old: StoredShape, _ new: StoredShape) {
    self.old = old
    self.new = new
    for (position, column) in old.columns.enumerated() {
      guard let other = new.column(named: column.name) else {
        if !Self.has(new, column.name) { note(column.name, .onlyInOld) }
        continue
      }
      let counterpart = new.columns[other]
      guard let comparison = Self.comparison(column, counterpart) else {
        note(column.name, .differs(old: Self.word(for: column), new: Self.word(for: counterpart)))
        continue
      }
      columns.append(
        ComparedColumn(
          name: column.name, old: position, new: other, comparison: comparison,
          place: ComparedColumn.Place(
            old: column.property.slot, new: counterpart.property.slot, comparison: comparison),
          isDerived: column.property.isDerived || counterpart.property.isDerived))
    }
    places = columns.map(\.place)
    for column in new.columns where old.column(named: column.name) == nil && !Self.has(old, column.name) {
      note(column.name, .onlyInNew)
    }
  }

  private mutating func note(_ name: String, _ kind: ModelMismatch.Kind) {
    mismatches.append(ModelMismatch(subject: "\(old.entity.name).\(name)", kind: kind))
  }

  /// Whether an entity has a stored property of a name which its objects do not tell: the other end does.
  private static func has(_ shape: StoredShape, _ name: String) -> Bool {
    shape.entity.property(named: name).map { !$0.isTransient } ?? false
  }

  private static func comparison(
    _ old: StoredShape.Column, _ new: StoredShape.Column
  ) -> ComparedColumn.Comparison? {
    switch (old.content, new.content) {
    case (.toOne, .toOne): return .references
    case (.toMany(let old), .toMany(let new)): return .members(isOrdered: old.isOrdered && new.isOrdered)
    case (.attribute, .attribute): return comparison(old.property.kind, new.property.kind)
    default: return nil
    }
  }

  private static func comparison(_ old: SlotKind, _ new: SlotKind) -> ComparedColumn.Comparison? {
    switch (old, new) {
    case (.int16, .int16), (.boolean, .boolean): .words
    case (.int16, .int32), (.int16, .int64), (.int32, .int16), (.int32, .int32), (.int32, .int64),
      (.int64, .int16), (.int64, .int32), (.int64, .int64):
      .words
    case (.double, .double), (.double, .float), (.float, .double), (.float, .float), (.date, .date): .doubles
    case (.string, .string), (.uri, .uri), (.uuid, .uuid), (.binary, .binary),
      (.transformable, .transformable):
      .bytes
    case (.decimal, .decimal): .decimals
    case (.external, .external), (.external, .binary), (.binary, .external): .data
    default: nil
    }
  }

  private static func word(for column: StoredShape.Column) -> String {
    switch column.content {
    case .attribute(let attribute): attribute.type.rawValue
    case .toOne(let relationship): "to-one \(relationship.destination.name)"
    case .toMany(let relationship): "to-many \(relationship.destination.name)"
    }
  }
}
