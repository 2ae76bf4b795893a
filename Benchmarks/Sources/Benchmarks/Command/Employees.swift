import CFloors
import Foundation

/// The employees of the command's workloads, as records, as rows and as stores.
enum Employees {
  static let count: Int64 = 200_000
  static let columns = "Z_PK, Z_ENT, Z_OPT, ZBADGE, ZHIRED, ZSALARY, ZEMAIL, ZNAME"

  static var imported: Answer {
    var answer = Answer(count: count, first: 1, last: count)
    for row in 1...count {
      var data = data_employee_row()
      data_employee(row, &data)
      answer.sum += data.salary_cents
    }
    return answer
  }

  /// What a table of employees holds, whoever wrote it.
  static func answer(
    in path: String, table: String = "ZEMPLOYEE", salary: String = "ZSALARY", badge: String = "ZBADGE"
  ) throws -> Answer {
    let store = try FloorStore(path)
    return Answer(
      count: try store.integer("SELECT count(*) FROM \(table)"),
      first: try store.integer("SELECT min(\(badge)) FROM \(table)"),
      last: try store.integer("SELECT max(\(badge)) FROM \(table)"),
      sum: try store.integer("SELECT sum(CAST(round(\(salary) * 100) AS INTEGER)) FROM \(table)"))
  }

  /// One JSON object a line.
  static func records(_ files: WorkFiles) throws -> String {
    try files.template("employees.ndjson") { path in
      let dates = ISO8601DateFormatter()
      try write(to: path) { data in
        let hired = dates.string(from: Date(timeIntervalSinceReferenceDate: Double(data.hired)))
        return "{\"name\":\"\(text(data.name))\",\"email\":\"\(text(data.email))\","
          + "\"salary\":\(money(data.salary_cents)),\"hired\":\"\(hired)\",\"badge\":\(data.badge)}\n"
      }
    }
  }

  /// The same rows as CSV, in the columns of the table.
  static func rows(_ files: WorkFiles) throws -> String {
    try files.template("employees.csv") { path in
      try write(to: path) { data in
        "\(data.badge),2,1,\(data.badge),\(data.hired),\(money(data.salary_cents)),\(text(data.email)),"
          + "\(text(data.name))\n"
      }
    }
  }

  /// A file with the store's layout that sqlite3 filled.
  static func floorStore(_ files: WorkFiles, _ programs: Programs) throws -> String {
    let rows = try rows(files)
    return try files.template("employees.db") { path in
      try FloorStore.create(path)
      try importRows(programs, rows, into: path, output: files.path("employees.out")).runChecked()
    }
  }

  static func importRows(
    _ programs: Programs, _ rows: String, into path: String, output: String
  ) -> ChildProcess {
    ChildProcess(
      executable: programs.sqlite3, arguments: [path, ".import --csv \(rows) ZEMPLOYEE"], output: output)
  }

  /// A store that the command made and filled.
  static func store(_ files: WorkFiles, _ command: String, _ programs: Programs) throws -> String {
    let records = try records(files)
    return try files.template("employees-store.db") { path in
      try emptyStore(path, command, programs, files)
      try ChildProcess(
        executable: command, arguments: ["import", "Employee", records, "--store", path],
        output: files.path("employees-store.out")
      ).runChecked()
    }
  }

  static func emptyStore(
    _ path: String, _ command: String, _ programs: Programs, _ files: WorkFiles
  ) throws {
    try ChildProcess(
      executable: command, arguments: ["init", path, "--model", programs.model],
      output: files.path("init.out")
    ).runChecked()
  }

  /// The number of lines of an output, less those that are no rows.
  static func lines(of output: String, headers: Int = 0) throws -> Answer {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: output), options: .alwaysMapped)
    return Answer(count: Int64(bytes.reduce(0) { $0 + ($1 == 10 ? 1 : 0) } - headers))
  }

  private static func write(to path: String, _ line: (data_employee_row) -> String) throws {
    var text = ""
    for row in 1...count {
      var data = data_employee_row()
      data_employee(row, &data)
      text += line(data)
    }
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  private static func money(_ cents: Int64) -> String {
    let fraction = cents % 100
    return "\(cents / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
