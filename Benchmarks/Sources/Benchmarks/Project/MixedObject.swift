import Foundation
import GraphStore

/// Text, date, money and nil as a managed object with typed accessors.
final class MixedObject: ManagedObject {
  static let flag = AttributeKey<MixedObject, Bool>("flag")
  static let born = AttributeKey<MixedObject, Date>("born")
  static let price = AttributeKey<MixedObject, Decimal>("price")
  static let rating = AttributeKey<MixedObject, Double>("rating")
  static let name = AttributeKey<MixedObject, String>("name")
  static let note = AttributeKey<MixedObject, String>("note")

  var digest: Int64 {
    var sum = Int64(self[Self.flag] == true ? 1 : 0)
    sum += self[Self.born].map { Int64($0.timeIntervalSinceReferenceDate) } ?? 0
    sum += self[Self.price].map { Self.cents($0) } ?? 0
    sum += self[Self.rating].map { Int64($0 * 8) } ?? 1
    sum += self[Self.name].map(Mixed.digest(of:)) ?? 0
    sum += self[Self.note].map(Mixed.digest(of:)) ?? 1
    return sum
  }

  private static func cents(_ price: Decimal) -> Int64 {
    Int64(truncating: (price * 100) as NSDecimalNumber)
  }

  static func answer(_ objects: [MixedObject]) -> Answer {
    var sum: Int64 = 0
    for object in objects { sum += object.digest }
    return Answer(
      count: Int64(objects.count), first: objects.first?.digest ?? 0, last: objects.last?.digest ?? 0,
      sum: sum)
  }
}
