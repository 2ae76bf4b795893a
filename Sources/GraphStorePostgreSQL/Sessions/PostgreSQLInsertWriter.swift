#if PostgreSQL
import GraphStore
import GraphStoreModel
import OrderedCollections

/// Writes the inserted rows of a save: those of one entity by one statement, whose parameters are a column
/// each.
struct PostgreSQLInsertWriter {
  /// The most rows, and about the most bytes, of one statement; its parameters are in memory twice.
  private static let rowLimit = 20_000
  private static let byteLimit = 32 << 20

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
    for positions in byEntity.values { try addCommands(&commands, positions) }
    do {
      _ = try session.withinSavepoint { try session.reporting { try session.connection.run(commands) } }
    } catch let error as GraphStoreError {
      guard let broken = error.brokenIndex else { throw error }
      throw try session.constraintConflict(broken, among: save.insertions.map { ($0.key, $0.row) })
    }
  }

  private func addCommands(_ commands: inout [PostgreSQLConnection.Command], _ positions: [Int]) throws {
    let layout = save.insertions[positions[0]].row.layout
    let entity = session.schema.entities[layout.index]
    let columns = session.statements.writtenColumns(entity, withDerived: save.isCopy)
    var start = 0
    while start < positions.count {
      let count = min(Self.rowLimit, positions.count - start)
      var keys = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: count)
      var writers = columns.compactMap {
        PostgreSQLColumnWriter(
          $0, of: layout, schema: session.schema, keys: save.permanentKeys, capacity: count)
      }
      var bytes = 0
      while start < positions.count, keys.count < Self.rowLimit, bytes < Self.byteLimit {
        let insertion = save.insertions[positions[start]]
        keys.append(insertion.key)
        bytes = 0
        for index in writers.indices {
          try writers[index].append(insertion.row)
          bytes += writers[index].array.byteCount
        }
        start += 1
      }
      commands.append(
        .init(
          session.store.tables.insert(entity, writers.map(\.column)),
          [keys.parameter] + writers.map(\.array.parameter)))
    }
  }
}
#endif
