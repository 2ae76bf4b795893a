import GraphStoreModel

extension StoreInspector {
  /// Mandatory properties without a value, and to-manys that break their counts. Derived values are not
  /// required (OBJ-340).
  func requiredValues(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for table in schema.tables where isSound(table) {
      let columns = table.columns.filter { column in
        !column.isOfOwner && !column.property.isOptional && column.elements.isEmpty
          && column.kind != .toOneEntity
          && column.kind != .orderKey && column.attribute?.isDerived != true
      }
      findings += try self.findings(
        name, table: table, columns: columns, damage: .missingValue, what: "without a value"
      ) { column in
        all("s.\(column.quotedName) IS NULL", belongs("s", to: column.entity))
      }
      findings += try requiredComposites(name, table)
    }
    return try findings + memberCounts(name)
  }

  /// Mandatory composite attributes without a value, and mandatory elements without one in a composite that
  /// has one (MDL-194).
  private func requiredComposites(_ name: String, _ table: SQLTable) throws -> [StoreCheckFinding] {
    var rules: [(subject: String, condition: String)] = []
    var seen: Set<ObjectIdentifier> = []
    for column in table.columns where !column.elements.isEmpty && metadata.isOurs {
      guard let composite = column.property as? AttributeDescription,
        seen.insert(ObjectIdentifier(composite)).inserted
      else { continue }
      let columns = table.columns.filter { $0.property === composite }
      let owner = belongs("s", to: column.entity)
      collect(composite, [], columns, owner: owner.map { [$0] } ?? [], into: &rules)
    }
    let counts = try counts(table, rules.map(\.condition))
    return try rules.indices.filter { counts[$0] > 0 }.compactMap { index in
      try sample(table, where: rules[index].condition)
        .finding(.missingValue, of: name, at: rules[index].subject, noun: "row", what: "without a value")
    }
  }

  private func collect(
    _ attribute: AttributeDescription, _ path: [AttributeDescription], _ columns: [SQLColumn],
    owner: [String],
    into rules: inout [(subject: String, condition: String)]
  ) {
    let own = columns.filter { $0.elements.starts(with: path, by: ===) }.map { "s.\($0.quotedName) IS NULL" }
    let isMissing = "(\(own.joined(separator: " AND ")))"
    if !attribute.isOptional, !attribute.isDerived {
      rules.append(("\(attribute)", (owner + [isMissing]).joined(separator: " AND ")))
    }
    for element in attribute.elements {
      collect(element, path + [element], columns, owner: owner + ["NOT \(isMissing)"], into: &rules)
    }
  }

  /// Values of a type or width that the attribute does not have (STO-245).
  func values(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for table in schema.tables where isSound(table) {
      findings += try self.findings(
        name, table: table, columns: table.columns, damage: .misfit, what: "with a value that does not fit",
        misfit)
    }
    return findings
  }

  /// Whether a column of a row `s` has a value that its property does not have.
  func misfit(_ column: SQLColumn) -> String {
    let value = "s.\(column.quotedName)"
    func typeIsNot(_ types: String) -> String { "typeof(\(value)) NOT IN ('null', \(types))" }
    switch column.kind {
    case .integer:
      let range = column.attribute?.type.integerRange ?? Int64.min...Int64.max
      // The least 64-bit number has no literal of its own.
      let least = range.lowerBound == .min ? "(-9223372036854775807 - 1)" : String(range.lowerBound)
      return
        "(\(typeIsNot("'integer'")) OR (\(value) IS NOT NULL AND \(value) NOT BETWEEN \(least) AND \(range.upperBound)))"
    case .boolean, .toOneKey, .toOneEntity, .orderKey, .ownerKey: return typeIsNot("'integer'")
    case .float:
      // Greater than half a step above the greatest: reading would show infinity.
      let greatest = "3.4028235677973366e38"
      return
        "(\(typeIsNot("'integer', 'real'")) OR abs(\(value)) >= \(greatest) AND abs(\(value)) < 9e999)"
    case .double: return typeIsNot("'integer', 'real'")
    case .date: return "(\(typeIsNot("'integer', 'real'")) OR abs(\(value)) = 9e999)"
    case .decimal:
      return
        "(\(typeIsNot("'integer', 'real', 'blob'")) OR NOT \(StoreCheckFunctions.isDecimalName)(\(value)))"
    case .string: return "(\(typeIsNot("'text'")) OR NOT \(StoreCheckFunctions.isTextName)(\(value)))"
    case .uri: return "(\(typeIsNot("'text'")) OR NOT \(StoreCheckFunctions.isURIName)(\(value)))"
    case .uuid: return "(\(typeIsNot("'blob'")) OR length(\(value)) IS NOT NULL AND length(\(value)) <> 16)"
    case .transformable where TransformerName.isDefault(column.attribute?.transformerName):
      return "(\(typeIsNot("'blob'")) OR NOT \(StoreCheckFunctions.isArchiveName)(\(value)))"
    case .transformable, .binary: return typeIsNot("'blob'")
    }
  }

  /// Counts all columns in one pass, and names objects only for those where something is wrong.
  private func findings(
    _ name: String, table: SQLTable, columns: [SQLColumn], damage: StoreDamage, what: String,
    _ condition: (SQLColumn) -> String
  ) throws -> [StoreCheckFinding] {
    guard !columns.isEmpty else { return [] }
    let conditions = columns.map(condition)
    let counts = try counts(table, conditions)
    return try columns.indices.filter { counts[$0] > 0 }.compactMap { index in
      try sample(table, where: conditions[index])
        .finding(
          damage, of: name, at: "\(columns[index].attribute ?? columns[index].property)", noun: "row",
          what: what)
    }
  }

  func uniqueness(_ name: String) throws -> [StoreCheckFinding] {
    var findings: [StoreCheckFinding] = []
    for entity in schema.entitiesInOrder where isSound(entity.table) {
      for constraint in entity.entity.ownUniquenessConstraints {
        guard let columns = entity.columns(ofConstraint: constraint)?.map(\.quotedName) else { continue }
        let present = columns.map { "s.\($0) IS NOT NULL" }.joined(separator: " AND ")
        let sample = try sample(
          """
          SELECT Z_PK, Z_ENT, 0, count(*) OVER () FROM
            (SELECT s.Z_PK, s.Z_ENT, count(*) OVER (PARTITION BY \(columns.joined(separator: ", "))) AS n
             FROM \(entity.table.quotedName) AS s WHERE \(all(present, belongs("s", to: entity))))
          WHERE n > 1 ORDER BY 1 LIMIT \(StoreCheckFinding.objectLimit)
          """, root: entity)
        let names = constraint.map(\.name).joined(separator: ", ")
        let finding = sample.finding(
          .duplicate, of: name, at: "\(entity.entity.name).\(names)", noun: "row",
          what: "with values that are to be unique")
        if let finding { findings.append(finding) }
      }
    }
    return findings
  }
}
