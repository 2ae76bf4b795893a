import Foundation
import GraphStore

/// An order of the Northwind shape as a managed object with typed accessors.
final class OrderObject: ManagedObject {
  static let employee = AttributeKey<Int64>("employee")
  static let number = AttributeKey<Int64>("number")
  static let shipVia = AttributeKey<Int64>("shipVia")
  static let freight = AttributeKey<Double>("freight")
  static let ordered = AttributeKey<Date>("ordered")
  static let required = AttributeKey<Date>("required")
  static let shipped = AttributeKey<Date>("shipped")
  static let customer = AttributeKey<String>("customer")
  static let shipAddress = AttributeKey<String>("shipAddress")
  static let shipCity = AttributeKey<String>("shipCity")
  static let shipCountry = AttributeKey<String>("shipCountry")
  static let shipName = AttributeKey<String>("shipName")
  static let shipPostalCode = AttributeKey<String>("shipPostalCode")
  static let shipRegion = AttributeKey<String>("shipRegion")

  var digest: Int64 {
    var sum = (self[Self.employee] ?? 0) + (self[Self.number] ?? 0) + (self[Self.shipVia] ?? 0)
    sum += Int64((self[Self.freight] ?? 0) * 8)
    sum += Orders.digest(of: self[Self.ordered]) + Orders.digest(of: self[Self.required])
    sum += Orders.digest(of: self[Self.shipped])
    sum += Orders.digest(of: self[Self.customer]) + Orders.digest(of: self[Self.shipAddress])
    sum += Orders.digest(of: self[Self.shipCity]) + Orders.digest(of: self[Self.shipCountry])
    sum += Orders.digest(of: self[Self.shipName]) + Orders.digest(of: self[Self.shipPostalCode])
    sum += Orders.digest(of: self[Self.shipRegion])
    return sum
  }
}
