import GraphStoreModel

extension SQLSchema {
  /// All indexes, table by table (STO-257, STO-262 to STO-265).
  ///
  /// Indexes that tables cannot hold are left out, since no index changes a result (MDL-288): those of ranges
  /// in several dimensions, and of relationships that the store has no column for.
  ///
  /// - Parameters:
  ///   - reserved: Names that are taken beside those of tables.
  ///   - leavesOutUnsupported: Whether those that the engine cannot hold are left out too.
  /// - Throws: `not-supported` for an expression or condition that the engine cannot hold.
  package func indexes(
    _ dialect: any SQLDialect, reserved: [String] = [], leavesOutUnsupported: Bool = false
  ) throws -> [SQLIndex] {
    var names = SQLNameSpace(naming, reserved: tables.map(\.name) + joinTables.map(\.name) + reserved)
    var indexes: [SQLIndex] = []
    func add(_ index: SQLIndex) {
      var index = index
      index.name = names.claim(index.name)
      indexes.append(index)
    }
    for table in tables {
      if table.root.sharesTable {
        add(
          index(
            naming.entityIndex(of: table.name), table: table.name,
            elements: [.init(column: systemColumns.entity, isDescending: nil)]))
      }
      for column in table.columns where column.kind == .toOneKey || column.kind == .ownerKey {
        add(
          index(
            naming.keyIndex(of: table.name, column.name), table: table.name,
            elements: [.init(column: column.name, isDescending: nil)])
        )
      }
    }
    for entity in entitiesInOrder {
      for description in entity.entity.indexes {
        do {
          if let index = try fetchIndex(description, entity: entity, dialect: dialect) { add(index) }
        } catch let error as GraphStoreError where error.code == .notSupported && leavesOutUnsupported {
          continue
        }
      }
      for constraint in entity.entity.ownUniquenessConstraints {
        if let index = uniqueIndex(constraint, entity) { add(index) }
      }
    }
    for table in joinTables {
      add(
        index(
          naming.keyIndex(of: table.name, table.destination), table: table.name,
          elements: [
            .init(column: table.destination, isDescending: nil),
            .init(column: table.source, isDescending: nil),
          ]))
    }
    return indexes
  }

  private func index(_ name: String, table: String, elements: [SQLIndex.Element]) -> SQLIndex {
    SQLIndex(name: name, table: table, elements: elements)
  }

  private func fetchIndex(
    _ description: IndexDescription, entity: SQLEntity, dialect: any SQLDialect
  ) throws -> SQLIndex? {
    func unsupported(_ what: String) -> GraphStoreError {
      GraphStoreError(
        .notSupported,
        "The index \(description.name) of \(entity.entity.name) has \(what)\(what.hasSuffix(".") ? "" : ".")",
        remedy: "Leave that out of the index.", entity: entity.entity.name)
    }
    let translator = SQLIndexTranslator(self, dialect: dialect, entity: entity)
    var index = index(
      naming.index(description.name, of: entity.entity), table: entity.table.name, elements: [])
    func text(_ part: SQLExpression) throws(NotPushable) -> String {
      index.callsFunctions = index.callsFunctions || part.callsFunction
      return try translator.text(part)
    }
    for element in description.elements {
      guard element.kind == .binary else { return nil }
      let isDescending = element.order == .descending
      switch element.subject {
      case .property(let property):
        switch entity.storage(of: property) {
        case .attribute(let column), .toOne(let column, _, _):
          index.elements.append(.init(column: column.name, isDescending: isDescending))
        case .none, .toManyInverse, .joinTable: return nil
        }
      case .element(let path):
        guard let column = entity.column(ofElement: path) else { return nil }
        index.elements.append(.init(column: column.name, isDescending: isDescending))
      case .expression(let expression):
        do throws(NotPushable) {
          let text = try text(try translator.expression(expression))
          index.elements.append(.init(expression: text, isDescending: isDescending))
        } catch {
          throw unsupported(
            "an expression that a \(dialect.engineName) store cannot compute: \(error.detail)")
        }
      }
    }
    if let predicate = description.predicate {
      do throws(NotPushable) {
        var parts: [String] = []
        for part in try translator.conditions(predicate) { parts.append(try text(part)) }
        index.condition = parts.joined(separator: " AND ")
      } catch {
        throw unsupported("a condition that a \(dialect.engineName) store cannot test: \(error.detail)")
      }
    }
    return index
  }

  private func uniqueIndex(_ constraint: [PropertyDescription], _ entity: SQLEntity) -> SQLIndex? {
    guard let columns = entity.columns(ofConstraint: constraint) else { return nil }
    return SQLIndex(
      name: naming.uniqueIndex(of: entity.entity, constraint), table: entity.table.name,
      elements: columns.map { .init(column: $0.name, isDescending: false) },
      isUnique: true, entityNumbers: entity.entity.superentity == nil ? nil : entity.familyNumbers)
  }
}
