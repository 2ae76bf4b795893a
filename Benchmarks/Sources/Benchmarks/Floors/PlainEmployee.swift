import CFloors

/// An employee as an object of plain Swift, the salary as a double.
final class PlainEmployee {
  let name: String
  let salary: Double

  init(row: Int64) {
    var data = data_employee_row()
    data_employee(row, &data)
    name = withUnsafeBytes(of: data.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    salary = Double(data.salary_cents) / 100
  }

  static var all: [PlainEmployee] { (1...Employees.count).map { PlainEmployee(row: $0) } }
}
