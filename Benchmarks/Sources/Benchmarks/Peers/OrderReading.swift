import Foundation
import GRDB

/// A peer's record of an order.
protocol OrderReading: FetchableRecord, DigestReading {
  var employee: Int64 { get }
  var number: Int64 { get }
  var shipVia: Int64 { get }
  var freight: Double { get }
  var ordered: Date { get }
  var required: Date { get }
  var shipped: Date? { get }
  var customer: String { get }
  var shipAddress: String { get }
  var shipCity: String { get }
  var shipCountry: String { get }
  var shipName: String { get }
  var shipPostalCode: String { get }
  var shipRegion: String? { get }
}

extension OrderReading {
  static var table: String { "ZORDER" }
  static var columns: String {
    "ZEMPLOYEE, ZNUMBER, ZSHIPVIA, ZFREIGHT, ZORDERED, ZREQUIRED, ZSHIPPED, ZCUSTOMER, ZSHIPADDRESS, ZSHIPCITY, "
      + "ZSHIPCOUNTRY, ZSHIPNAME, ZSHIPPOSTALCODE, ZSHIPREGION"
  }

  var digest: Int64 {
    var sum = employee + number + shipVia + Int64(freight * 8)
    sum += Orders.digest(of: ordered) + Orders.digest(of: required) + Orders.digest(of: shipped)
    sum += Orders.digest(of: customer) + Orders.digest(of: shipAddress) + Orders.digest(of: shipCity)
    sum += Orders.digest(of: shipCountry) + Orders.digest(of: shipName) + Orders.digest(of: shipPostalCode)
    sum += Orders.digest(of: shipRegion)
    return sum
  }

  /// Loads every order, again and again.
  static func load(_ database: Database, times: Int64) throws -> Answer {
    try Orders.load(times: times) {
      try fetchAll(database, sql: "SELECT Z_PK, Z_ENT, Z_OPT, \(columns) FROM \(table)")
    } digest: {
      $0.digest
    }
  }
}
