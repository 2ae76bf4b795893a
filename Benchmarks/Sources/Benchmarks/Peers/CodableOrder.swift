import Foundation
import GRDB

/// An order as a struct that the compiler decodes.
struct CodableOrder: Codable, OrderReading {
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

  enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case employee = "ZEMPLOYEE"
    case number = "ZNUMBER"
    case shipVia = "ZSHIPVIA"
    case freight = "ZFREIGHT"
    case ordered = "ZORDERED"
    case required = "ZREQUIRED"
    case shipped = "ZSHIPPED"
    case customer = "ZCUSTOMER"
    case shipAddress = "ZSHIPADDRESS"
    case shipCity = "ZSHIPCITY"
    case shipCountry = "ZSHIPCOUNTRY"
    case shipName = "ZSHIPNAME"
    case shipPostalCode = "ZSHIPPOSTALCODE"
    case shipRegion = "ZSHIPREGION"
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }
}
