#if PostgreSQL
import GraphStore
import GraphStoreModel

extension PostgreSQLWriteSession {
  /// Says which constraints one of some rows breaks, with which values, and which objects have them already.
  ///
  /// The server names one index; the rows of the save that collide are looked for, among each other too.
  func constraintConflict(
    _ failure: PostgreSQLError, among rows: [(key: Int64, row: Row)]
  ) throws -> GraphStoreError {
    for (key, row) in rows {
      var broken: [ConstraintViolation.Broken] = []
      for constraint in row.layout.uniquenessConstraints {
        let properties = row.layout.properties(of: constraint)
        guard properties.allSatisfy({ row.hasValue(of: $0) }) else { continue }
        let fetched = SaveRequest.FetchedRow(key: key, row: row)
        var holder = try holders(of: constraint, rows: [fetched]).first.map {
          ManagedObjectID(scope: scope, entityIndex: $0.holder.entity, key: $0.holder.key)
        }
        holder = holder ?? twin(of: row, key, properties, among: rows)
        if let holder { broken.append((properties, holder)) }
      }
      if !broken.isEmpty {
        return ConstraintViolation(row: row, key: key, scope: scope, broken: broken)
          .error(underlying: failure)
      }
    }
    var error = GraphStoreError(failure, path: path)
    if let constraint = failure.constraint {
      error.details.append("the index \(constraint) of the database forbids it")
    }
    return error
  }

  /// Another row of the save with the same values.
  private func twin(
    of row: Row, _ key: Int64, _ properties: [PropertyLayout], among rows: [(key: Int64, row: Row)]
  ) -> ManagedObjectID? {
    let found = rows.first { other in
      other.key != key && other.row.layout.rootIndex == row.layout.rootIndex
        && properties.allSatisfy { property in
          guard other.row.layout.properties.indices.contains(property.number),
            other.row.layout.properties[property.number].name == property.name
          else { return false }
          return other.row.layout === row.layout ? row.isEqual(other.row, property) : false
        }
    }
    return found.map { ManagedObjectID(scope: scope, entityIndex: $0.row.layout.index, key: $0.key) }
  }
}
#endif
