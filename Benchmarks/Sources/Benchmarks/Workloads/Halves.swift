import CFloors
import GraphStore

/// Rows of ten integers of which the first says the half, and batch requests over the one where it is 1.
enum Halves {
  static let rows: Int64 = 400_000
  static let value: Int64 = 7

  static var predicate: QueryPredicate {
    get throws { try QueryPredicate(parsing: "i0 == 1") }
  }

  static func fill(_ store: FloorStore) throws {
    try store.fillNumbers(rows)
    try store.halveNumbers()
  }

  /// The table once the rows of the half are others.
  ///
  /// - Parameter change: What becomes of the fourth integer of a row of the half; nil where the row goes.
  static func answer(_ change: (Int64) -> Int64?) -> Answer {
    var sums: [Int64] = []
    for row in 1...rows {
      let rest = Numbers.rowSum(row) - data_number(row, 0)
      if row % 2 == 0 {
        sums.append(rest)
      } else if let changed = change(data_number(row, 3)) {
        sums.append(rest + 1 - data_number(row, 3) + changed)
      }
    }
    return Answer(
      count: Int64(sums.count), first: sums.first ?? 0, last: sums.last ?? 0, sum: sums.reduce(0, +))
  }

  /// A request of the project beside a statement of the floor.
  static func contenders(
    _ files: WorkFiles, _ project: ProjectStore, write: @escaping (ManagedObjectContext) throws -> Void,
    floor: @escaping (FloorStore) throws -> Void
  ) throws -> [any Contender] {
    [
      ProjectWrite(
        files, template: try project.template("halves.db", fill), load: { _ in },
        write: { context, _ in try write(context) }, check: Numbers.written(in:)),
      FloorWrite(
        files, template: try files.floorTemplate("halves.db", fill), write: floor,
        check: Numbers.written(in:)),
    ]
  }
}
