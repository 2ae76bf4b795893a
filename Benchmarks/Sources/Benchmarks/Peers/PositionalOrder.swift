import Foundation
import GRDB

/// An order as a struct that reads its row by position.
struct PositionalOrder: OrderReading {
  let key: Int64
  let entity: Int64
  let version: Int64
  let employee: Int64
  let number: Int64
  let shipVia: Int64
  let freight: Double
  let ordered: Date
  let required: Date
  let shipped: Date?
  let customer: String
  let shipAddress: String
  let shipCity: String
  let shipCountry: String
  let shipName: String
  let shipPostalCode: String
  let shipRegion: String?

  init(row: Row) {
    key = row[0]
    entity = row[1]
    version = row[2]
    employee = row[3]
    number = row[4]
    shipVia = row[5]
    freight = row[6]
    ordered = Date(timeIntervalSinceReferenceDate: row[7])
    required = Date(timeIntervalSinceReferenceDate: row[8])
    shipped = (row[9] as Double?).map { Date(timeIntervalSinceReferenceDate: $0) }
    customer = row[10]
    shipAddress = row[11]
    shipCity = row[12]
    shipCountry = row[13]
    shipName = row[14]
    shipPostalCode = row[15]
    shipRegion = row[16]
  }
}
