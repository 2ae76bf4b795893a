import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// Values of the attributes of a new table, as expressions over a row `s` of the old one.
struct MigratedValues {
  let entities: MigratedEntities
  /// Whether old values with external storage have the prefix that says where they are stored (STO-177).
  let hasPrefixes: Bool
  /// Whether numbers that do not convert exactly are rounded (MIG-123).
  let allowsInexact: Bool

  /// Origin in the old store of the values of a new column.
  struct Origin {
    let column: SQLColumn
    let attribute: AttributeDescription
  }

  /// The storage of the values of a column in the old store; nil for an attribute or element that was added.
  func origin(of column: SQLColumn, in pair: MigratedEntities.Pair) -> Origin? {
    let pairing = entities.pairing
    guard let new = column.property as? AttributeDescription,
      let old = pairing.source(of: new, in: pair.destination.entity) as? AttributeDescription,
      !old.isTransient
    else { return nil }
    if column.elements.isEmpty {
      guard case .attribute(let column) = pair.source.storage(of: old) else { return nil }
      return Origin(column: column, attribute: old)
    }
    guard let path = pairing.source(ofElements: column.elements, of: new, in: old),
      let column = pair.source.column(ofElement: [old] + path), let element = path.last
    else { return nil }
    return Origin(column: column, attribute: element)
  }

  /// The value of a column of an attribute.
  func expression(_ column: SQLColumn, in pair: MigratedEntities.Pair, _ text: inout MigrationText) -> String
  {
    guard let attribute = column.attribute else { return "NULL" }
    let pairing = entities.pairing
    if let constant = pairing.constant(of: attribute, in: pair.destination.entity) {
      return constant.isNull ? "NULL" : text.parameter(Self.binding(constant, of: attribute))
    }
    guard let origin = origin(of: column, in: pair) else { return defaultValue(of: attribute, text: &text) }
    let value = placed(
      converted("s.\(origin.column.quotedName)", origin.attribute, attribute), origin, column)
    guard !attribute.isOptional, origin.attribute.isOptional, !attribute.isDerived,
      !attribute.defaultValue.isNull, pairing.putsDefault(into: attribute, in: pair.destination.entity)
    else { return value }
    return "coalesce(\(value), \(defaultValue(of: attribute, text: &text)))"
  }

  private func defaultValue(of attribute: AttributeDescription, text: inout MigrationText) -> String {
    attribute.isDerived ? "NULL" : text.parameter(Self.binding(attribute.defaultValue, of: attribute))
  }

  /// A default as the attribute's column holds it.
  static func binding(_ value: Value, of attribute: AttributeDescription) -> SQLBinding {
    switch value {
    case .null: .null
    case .int(let number) where attribute.type == .decimal: StoredDecimal.binding(Decimal(number))
    case .int(let number) where attribute.type == .double || attribute.type == .float: .double(Double(number))
    case .int(let number): .integer(number)
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .double(let number) where attribute.type == .decimal:
      StoredDecimal.binding(Decimal(shortestTextOf: number))
    case .double(let number): number.isNaN ? .null : .double(number)
    case .decimal(let number): StoredDecimal.binding(number)
    case .date(let date): .double(date.timeIntervalSinceReferenceDate)
    case .string(let text): .text(text)
    case .uri(let uri): .text(uri.absoluteString)
    case .uuid(let uuid): unsafe .blob(withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) })
    case .data(let data) where attribute.allowsExternalStorage: .blob(ExternalColumn.bytes(inline: data))
    case .data(let data): .blob(Array(data))
    default: .null
    }
  }

  // MARK: Conversion

  /// A number as one of another type; NULL for one that does not convert.
  private func converted(
    _ value: String, _ old: AttributeDescription, _ new: AttributeDescription
  ) -> String {
    switch (old.type, new.type) {
    case let (before, after) where before == after: value
    case (.boolean, _) where new.type.isMigratedNumber: "(\(value) <> 0)"
    case (.int16, .int32), (.int16, .int64), (.int32, .int64), (.int16, .double), (.int32, .double),
      (.int16, .float), (.int16, .decimal), (.int32, .decimal), (.float, .double):
      value
    default: MigrationFunctions.convert(value, from: old.type, to: new.type, allowsInexact: allowsInexact)
    }
  }

  /// Whether some values of a column may not convert exactly, which a check has to find out (MIG-121).
  func needsCheck(_ column: SQLColumn, _ origin: Origin) -> Bool {
    guard let attribute = column.attribute else { return false }
    return origin.attribute.type.conversion(to: attribute.type) == .conditional
  }

  /// The value of a column before defaults are put in, for checks.
  func convertedValue(_ column: SQLColumn, _ origin: Origin) -> String {
    guard let attribute = column.attribute else { return "NULL" }
    return converted("s.\(origin.column.quotedName)", origin.attribute, attribute)
  }

  // MARK: External data

  /// A value in the form that external storage asks for, or does not ask for any more.
  private func placed(_ value: String, _ origin: Origin, _ column: SQLColumn) -> String {
    let wasPrefixed = origin.column.isExternal && hasPrefixes
    switch (wasPrefixed, column.isExternal) {
    case (false, true): return "CASE WHEN \(value) IS NOT NULL THEN CAST(x'01' || \(value) AS BLOB) END"
    case (true, false): return MigrationFunctions.data(value)
    default: return value
    }
  }
}

extension AttributeType {
  /// Whether values convert from and to other numbers.
  fileprivate var isMigratedNumber: Bool { conversion(to: .double) != .impossible }
}
