#if PostgreSQL
import GraphStore
import GraphStoreModel
import OrderedCollections

/// Writes the inserted rows of a save: few of one entity by one statement, whose parameters are a column
/// each; many by COPY, which takes two round trips instead of a part of one, and half the server's time.
struct PostgreSQLInsertWriter {
  /// From how many rows of an entity on, or how many bytes of parameters, they are copied.
  static let leastCopied = 1000
  private static let leastBytesCopied = 8 << 20

  private let session: PostgreSQLWriteSession
  private let save: SaveRequest

  init(_ session: PostgreSQLWriteSession, _ save: SaveRequest) {
    self.session = session
    self.save = save
  }

  func run() throws {
    if save.insertions.isEmpty { return }
    var byEntity: OrderedDictionary<Int, [Int]> = [:]
    for (position, insertion) in save.insertions.enumerated() {
      byEntity[insertion.row.layout.index, default: []].append(position)
    }
    var commands: [PostgreSQLConnection.Command] = []
    var many: [[Int]] = []
    for positions in byEntity.values {
      if positions.count < Self.leastCopied, let command = try command(positions) {
        commands.append(command)
      } else {
        many.append(positions)
      }
    }
    do {
      try session.withinSavepoint {
        try session.reporting {
          if !commands.isEmpty { try session.connection.run(commands) }
          for positions in many { try copy(positions) }
        }
      }
    } catch let error as GraphStoreError {
      guard let broken = error.brokenIndex else { throw error }
      throw try session.constraintConflict(broken, among: save.insertions.map { ($0.key, $0.row) })
    }
  }

  private func form(_ positions: [Int]) -> (layout: EntityLayout, entity: SQLEntity, columns: [SQLColumn]) {
    let layout = save.insertions[positions[0]].row.layout
    let entity = session.schema.entities[layout.index]
    return (layout, entity, session.statements.writtenColumns(entity, withDerived: save.isCopy))
  }

  /// - Returns: Nil for rows of too many bytes: parameters are in memory twice.
  private func command(_ positions: [Int]) throws -> PostgreSQLConnection.Command? {
    let (layout, entity, columns) = form(positions)
    var keys = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: positions.count)
    var writers = columns.compactMap {
      PostgreSQLColumnWriter(
        $0, of: layout, schema: session.schema, keys: save.permanentKeys, capacity: positions.count)
    }
    for position in positions {
      let insertion = save.insertions[position]
      keys.append(insertion.key)
      var bytes = 0
      for index in writers.indices {
        try writers[index].append(insertion.row)
        bytes += writers[index].array.byteCount
      }
      if bytes > Self.leastBytesCopied { return nil }
    }
    return .init(
      session.store.tables.insert(entity, writers.map(\.column)),
      [keys.parameter] + writers.map(\.array.parameter))
  }

  private func copy(_ positions: [Int]) throws {
    let (layout, entity, columns) = form(positions)
    let sources = columns.compactMap {
      PostgreSQLColumnSource($0, of: layout, schema: session.schema, keys: save.permanentKeys)
    }
    let types = sources.map { PostgreSQLType($0.column) }
    var buffer = PostgreSQLCopyBuffer()
    unsafe try session.connection.copy(session.store.tables.copy(entity, sources.map(\.column))) { send in
      buffer.append(plain: PostgreSQLCopyBuffer.header)
      for position in positions {
        let insertion = save.insertions[position]
        buffer.beginRow(key: insertion.key, entity: entity.number, version: 1, columns: sources.count)
        for index in sources.indices {
          buffer.type = types[index]
          try sources[index].append(insertion.row, to: &buffer)
        }
        if buffer.isFull { try unsafe buffer.empty(send) }
      }
      buffer.append(plain: PostgreSQLCopyBuffer.trailer)
      unsafe try buffer.empty(send)
    }
  }
}
#endif
