import Foundation
import GraphStore

extension Workload {
  /// A sort by the rules of a locale (PRD-277), against Foundation's.
  static func q4() -> Workload {
    let names = Cities.names
    return Workload(
      id: "Q4", title: "sort 4,000 city names by the order of file browsers in a locale",
      goal: "≤ 30 ms", rows: Int64(names.count),
      expected: { Cities.answer(Cities.sortedByFoundation) },
      contenders: {
        let descriptors = try QuerySortDescriptor.list(parsing: "SELF:localizedStandard")
        let values = names.map(Value.string)
        return [
          PlainContender("GraphStore", .project) {
            let sorted = try values.sorted(using: descriptors, locale: Cities.locale)
            return Cities.answer(
              sorted.map { value in
                if case .string(let name) = value { name } else { "" }
              })
          },
          PlainContender("Foundation", .peer) {
            Cities.answer(Cities.sortedByFoundation)
          },
        ]
      })
  }
}

/// Names like those of cities, all different.
private enum Cities {
  static let locale = Locale(identifier: "de_DE")
  static let options: String.CompareOptions = [
    .caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering,
  ]

  private static let beginnings = [
    "Köln", "Kyllburg", "Béziers", "Saint-Étienne", "Aarhus", "Ølstykke", "Sundsvall", "Södertälje",
    "São Paulo",
    "Zürich", "Łódź", "İzmir", "Ærøskøbing", "Çanakkale", "Ürümqi", "Ōsaka", "Reykjavík", "Tromsø", "Gdańsk",
    "Nîmes",
  ]

  static let names: [String] = (0..<4_000).map { number in
    let place = number * 7919 % 4_000
    return
      "\(beginnings[place % beginnings.count]) \(["Nord", "Süd", "Ost", "West"][place / 20 % 4]) \(place / 80)"
  }

  static var sortedByFoundation: [String] {
    names.sorted { $0.compare($1, options: options, range: nil, locale: locale) == .orderedAscending }
  }

  /// The places of the first and the last name, and a sum that depends on the whole order.
  static func answer(_ sorted: [String]) -> Answer {
    var answer = Answer(count: Int64(sorted.count))
    for (place, name) in sorted.enumerated() {
      let number = Int64(name.unicodeScalars.reduce(0) { $0 &* 31 &+ Int($1.value) } & 0xFFFF)
      if place == 0 { answer.first = number }
      answer.last = number
      answer.sum = answer.sum &+ number &* Int64(place)
    }
    return answer
  }
}
