import CFloors
import Foundation

/// Orders of the Northwind shape: what a reader of all of them finds.
enum Orders {
  static let count: Int64 = 15_889
  static let times: Int64 = 100

  static func answer() -> Answer {
    let once = (1...count).reduce(0) { $0 + digest($1) }
    return Answer(count: count * times, first: digest(1), last: digest(count), sum: once * times)
  }

  static func digest(of text: String?) -> Int64 { text.map(Mixed.digest(of:)) ?? 1 }
  static func digest(of date: Date?) -> Int64 { date.map { Int64($0.timeIntervalSinceReferenceDate) } ?? 1 }

  /// Loads as often as asked and reads every value of what was loaded each time.
  static func load<Order>(
    times: Int64, _ load: () throws -> [Order], digest: (Order) -> Int64
  ) throws -> Answer {
    var answer = Answer(count: 0)
    for _ in 0..<times {
      let orders = try load()
      answer.count += Int64(orders.count)
      answer.first = orders.first.map(digest) ?? 0
      answer.last = orders.last.map(digest) ?? 0
      for order in orders { answer.sum += digest(order) }
    }
    return answer
  }

  private static func digest(_ row: Int64) -> Int64 {
    var data = data_order_row()
    data_order(row, &data)
    var sum = data.employee + data.number + data.ship_via + Int64(data.freight * 8)
    sum += data.ordered + data.required + (data.has_shipped == 0 ? 1 : data.shipped)
    withUnsafeBytes(of: data.texts) { bytes in
      let width = bytes.count / Int(data_order_texts)
      for text in 0..<Int(data_order_texts) {
        let isMissing = text == Int(data_order_region) && data.has_region == 0
        let characters = bytes[(text * width)..<((text + 1) * width)].prefix { $0 != 0 }
        sum += isMissing ? 1 : Mixed.digest(of: String(decoding: characters, as: UTF8.self))
      }
    }
    return sum
  }
}
