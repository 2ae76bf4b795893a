import Foundation
import GraphStore

/// An order of the Northwind shape as a managed object with typed accessors.
final class OrderObject: ManagedObject {
  static let employee = AttributeKey<OrderObject, Int64>("employee")
  static let number = AttributeKey<OrderObject, Int64>("number")
  static let shipVia = AttributeKey<OrderObject, Int64>("shipVia")
  static let freight = AttributeKey<OrderObject, Double>("freight")
  static let ordered = AttributeKey<OrderObject, Date>("ordered")
  static let required = AttributeKey<OrderObject, Date>("required")
  static let shipped = AttributeKey<OrderObject, Date>("shipped")
  static let customer = AttributeKey<OrderObject, String>("customer")
  static let shipAddress = AttributeKey<OrderObject, String>("shipAddress")
  static let shipCity = AttributeKey<OrderObject, String>("shipCity")
  static let shipCountry = AttributeKey<OrderObject, String>("shipCountry")
  static let shipName = AttributeKey<OrderObject, String>("shipName")
  static let shipPostalCode = AttributeKey<OrderObject, String>("shipPostalCode")
  static let shipRegion = AttributeKey<OrderObject, String>("shipRegion")

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
