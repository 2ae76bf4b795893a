#if PostgreSQL
import GraphStore
import GraphStoreModel

/// Changes of one transaction as parameters of the statements that add them: arrays of runs of keys.
struct PostgreSQLHistoryRows {
  private struct Part {
    var kinds = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.text, capacity: 0)
    var entities = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: 0)
    var first = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: 0)
    var last = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: 0)
    var properties = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.text, capacity: 0)
    var tombstones = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.text, capacity: 0)
    /// The number of the changes before it.
    let start: Int64

    init(start: Int64) { self.start = start }
  }

  /// The most runs, and about the most bytes, of one statement.
  private static let runLimit = 20_000
  private static let byteLimit = 32 << 20

  private let schema: SQLSchema
  private var parts: [Part] = []
  /// The number of the changes.
  private(set) var count: Int64 = 0
  /// The text of the properties that the last update has changed, which many have in common.
  private var known: (entity: Int, properties: PropertySet, text: String)?

  init(_ schema: SQLSchema) { self.schema = schema }

  mutating func add(_ run: HistoryRun) {
    add(
      run.type, entityNumber: Int64(schema.entities[run.entity].number), run.keys,
      properties: run.type == .update ? text(of: run) : nil, tombstone: nil)
  }

  mutating func addDeleted(_ entityNumber: Int64, _ key: Int64, _ tombstone: String?) {
    add(.delete, entityNumber: entityNumber, key..<key + 1, properties: nil, tombstone: tombstone)
  }

  private mutating func add(
    _ type: PersistentHistoryChangeType, entityNumber: Int64, _ keys: Range<Int64>, properties: String?,
    tombstone: String?
  ) {
    let isFull = parts.last.map {
      $0.kinds.count >= Self.runLimit || $0.tombstones.byteCount + $0.properties.byteCount > Self.byteLimit
    }
    if isFull ?? true { parts.append(Part(start: count)) }
    let last = parts.count - 1
    parts[last].kinds.append(type.description.utf8)
    parts[last].entities.append(entityNumber)
    parts[last].first.append(keys.lowerBound)
    parts[last].last.append(keys.upperBound - 1)
    if let properties {
      parts[last].properties.append(properties.utf8)
    } else {
      parts[last].properties.appendNull()
    }
    if let tombstone {
      parts[last].tombstones.append(tombstone.utf8)
    } else {
      parts[last].tombstones.appendNull()
    }
    count += Int64(keys.count)
  }

  private mutating func text(of run: HistoryRun) -> String {
    if let known, known.entity == run.entity, known.properties == run.properties { return known.text }
    var names: [String] = []
    run.properties.forEach { names.append(schema.entities[run.entity].entity.properties[$0].name) }
    let text = PostgreSQLArray.text(names)
    known = (run.entity, run.properties, text)
    return text
  }

  /// The parameters of each statement.
  var parameters: [[PostgreSQLParameter]] {
    parts.map { part in
      [
        PostgreSQLParameter(count - part.start), part.kinds.parameter, part.entities.parameter,
        part.first.parameter, part.last.parameter, part.properties.parameter, part.tombstones.parameter,
      ]
    }
  }
}
#endif
