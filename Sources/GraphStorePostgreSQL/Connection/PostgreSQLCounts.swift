#if PostgreSQL
/// How much was asked of a server.
struct PostgreSQLCounts {
  var statements = 0
  var roundTrips = 0

  mutating func add(_ other: PostgreSQLCounts) {
    statements += other.statements
    roundTrips += other.roundTrips
  }
}
#endif
