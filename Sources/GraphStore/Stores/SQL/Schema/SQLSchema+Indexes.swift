import GraphStoreModel

extension SQLSchema {
  /// All indexes, table by table (STO-257, STO-262 to STO-265).
  ///
  /// - Throws: `not-supported` for an index with an expression, a condition, an element of a composite, or ranges in
  ///   several dimensions.
  func indexes() throws -> [SQLIndex] {
    var names = SQLNameSpace(reserved: tables.map(\.name) + joinTables.map(\.name))
    var indexes: [SQLIndex] = []
    func add(_ index: SQLIndex) {
      var index = index
      index.name = names.claim(index.name)
      indexes.append(index)
    }
    for table in tables {
      if table.root.sharesTable {
        add(index("\(table.name)_Z_ENT_INDEX", table.name, [.init(column: "Z_ENT", isDescending: nil)]))
      }
      for column in table.columns where column.kind == .toOneKey {
        add(
          index(
            "\(table.name)_\(column.name)_INDEX", table.name, [.init(column: column.name, isDescending: nil)])
        )
      }
    }
    for entity in entitiesInOrder {
      for description in entity.entity.indexes { add(try fetchIndex(description, entity)) }
      for constraint in entity.entity.ownUniquenessConstraints { add(uniqueIndex(constraint, entity)) }
    }
    for table in joinTables {
      add(
        index(
          "\(table.name)_\(table.destination)_INDEX", table.name,
          [
            .init(column: table.destination, isDescending: nil),
            .init(column: table.source, isDescending: nil),
          ]))
    }
    return indexes
  }

  private func index(_ name: String, _ table: String, _ elements: [SQLIndex.Element]) -> SQLIndex {
    SQLIndex(name: name, table: table, elements: elements)
  }

  private func fetchIndex(_ description: IndexDescription, _ entity: SQLEntity) throws -> SQLIndex {
    func unsupported(_ what: String) -> GraphStoreError {
      GraphStoreError(
        .notSupported,
        "The index \(description.name) of \(entity.entity.name) has \(what), which a SQLite store cannot hold yet.",
        remedy: "Leave that out of the index.", entity: entity.entity.name)
    }
    guard description.predicate == nil else { throw unsupported("a condition") }
    var elements: [SQLIndex.Element] = []
    for element in description.elements {
      guard element.kind == .binary else { throw unsupported("the type rtree") }
      guard case .property(let property) = element.subject else {
        throw unsupported("an element that is no property")
      }
      switch entity.storage(of: property) {
      case .attribute(let column), .toOne(let column, _, _):
        elements.append(.init(column: column.name, isDescending: element.order == .descending))
      case .none, .toManyInverse, .joinTable:
        throw unsupported("the property \(property.name), which has no column")
      }
    }
    return index("Z_\(entity.entity.name)_\(description.name)", entity.table.name, elements)
  }

  private func uniqueIndex(_ constraint: [AttributeDescription], _ entity: SQLEntity) -> SQLIndex {
    let names = constraint.map(\.name).joined(separator: "_")
    let elements = constraint.compactMap { attribute -> SQLIndex.Element? in
      guard case .attribute(let column) = entity.storage(of: attribute) else { return nil }
      return .init(column: column.name, isDescending: false)
    }
    return SQLIndex(
      name: "Z_\(entity.entity.name)_UNIQUE_\(names)", table: entity.table.name, elements: elements,
      isUnique: true, entityNumbers: entity.entity.superentity == nil ? nil : entity.familyNumbers)
  }
}
