import Foundation
import GraphStore

/// A model and objects of it made from a seed.
struct RandomGraph {
  private var generator: SeededGenerator
  private(set) var model: [String: Any] = [:]
  private var entities: [[String: Any]] = []
  private var names: [String] = []

  static let types = [
    "int16", "int32", "int64", "decimal", "double", "float", "string", "boolean", "date", "uuid", "uri",
    "binary",
  ]

  init(_ seed: TestSeed) {
    generator = seed.generator
    let count = Int.random(in: 2...4, using: &generator)
    names = (0..<count).map { "E\($0)" }
    for (index, name) in names.enumerated() {
      var entity: [String: Any] = ["name": name]
      if index > 0, Bool.random(using: &generator) {
        entity["parent"] = names[Int.random(in: 0..<index, using: &generator)]
      }
      entity["attributes"] = Self.types.shuffled(using: &generator).prefix(
        Int.random(in: 1...12, using: &generator)
      )
      .map { ["name": "\($0)\(index)", "type": $0] }
      if Int.random(in: 0..<3, using: &generator) == 0, !ancestors(of: entity).contains(where: Self.hasID) {
        addID(to: &entity)
      }
      entity["relationships"] = [[String: Any]]()
      entities.append(entity)
    }
    for number in 0..<Int.random(in: 2...6, using: &generator) { addRelationship(number) }
    model = ["name": "Random", "entities": entities]
  }

  /// An attribute that is called as the objects' own ids are, of any type.
  private mutating func addID(to entity: inout [String: Any]) {
    var attributes = entity["attributes"] as? [[String: Any]] ?? []
    let place = Int.random(in: 0...attributes.count, using: &generator)
    attributes.insert(
      ["name": "id", "type": Self.types.randomElement(using: &generator) ?? "string"], at: place)
    entity["attributes"] = attributes
  }

  private static func hasID(_ entity: [String: Any]) -> Bool {
    (entity["attributes"] as? [[String: Any]] ?? []).contains { $0["name"] as? String == "id" }
  }

  private func ancestors(of entity: [String: Any]) -> [[String: Any]] {
    guard let name = entity["parent"] as? String,
      let parent = entities.first(where: { $0["name"] as? String == name })
    else { return [] }
    return [parent] + ancestors(of: parent)
  }

  private mutating func addRelationship(_ number: Int) {
    let source = Int.random(in: 0..<names.count, using: &generator)
    let destination = Int.random(in: 0..<names.count, using: &generator)
    func end(_ name: String, to destination: Int, inverse: String, many: Bool, ordered: Bool) -> [String: Any]
    {
      var end: [String: Any] = ["name": name, "destination": names[destination], "inverse": inverse]
      if many { end["toMany"] = true }
      if many, ordered { end["ordered"] = true }
      return end
    }
    func append(_ relationship: [String: Any], to entity: Int) {
      var list = entities[entity]["relationships"] as? [[String: Any]] ?? []
      list.append(relationship)
      entities[entity]["relationships"] = list
    }
    let many = Bool.random(using: &generator)
    let inverseMany = Bool.random(using: &generator)
    let ordered = Bool.random(using: &generator)
    let inverseOrdered = Int.random(in: 0..<4, using: &generator) == 0
    append(
      end("r\(number)", to: destination, inverse: "i\(number)", many: many, ordered: ordered), to: source)
    append(
      end("i\(number)", to: source, inverse: "r\(number)", many: inverseMany, ordered: inverseOrdered),
      to: destination)
  }

  var modelText: String {
    get throws { String(decoding: try JSONSerialization.data(withJSONObject: model), as: UTF8.self) }
  }

  /// Fills a store.
  mutating func fill(_ context: ManagedObjectContext) throws {
    var objects: [ManagedObject] = []
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      let entity = context.coordinator.managedObjectModel.entities[
        Int.random(in: 0..<names.count, using: &generator)]
      let object = try context.insert(entityNamed: entity.name)
      for attribute in entity.attributes {
        try object.setQueryValue(value(attribute.type), forKey: attribute.name)
      }
      objects.append(object)
    }
    try context.save()
    for object in objects {
      for relationship in object.entity.relationships {
        let candidates = objects.filter { $0.entity.isKind(of: relationship.destination) }.shuffled(
          using: &generator)
        guard !candidates.isEmpty, Int.random(in: 0..<3, using: &generator) > 0 else { continue }
        if relationship.isToMany {
          let members = Array(candidates.prefix(Int.random(in: 0...5, using: &generator)))
          try object.addObjects(members, forKey: relationship.name)
        } else {
          try object.setValue(candidates[0], forKey: relationship.name)
        }
      }
    }
    try context.save()
  }

  private mutating func value(_ type: AttributeType) -> Value {
    if Int.random(in: 0..<5, using: &generator) == 0 { return .null }
    switch type {
    case .int16: return .int(Int64(Int16.random(in: .min ... .max, using: &generator)))
    case .int32: return .int(Int64(Int32.random(in: .min ... .max, using: &generator)))
    case .int64:
      return .int(Bool.random(using: &generator) ? .min : Int64.random(in: .min ... .max, using: &generator))
    case .decimal: return .decimal(decimal())
    case .double:
      return .double(
        [0, -0.5, 1e300, .leastNonzeroMagnitude, .infinity, Double.random(in: -9...9, using: &generator)]
          .randomElement(
            using: &generator) ?? 0)
    case .float: return .double(Double(Float.random(in: -9...9, using: &generator)))
    case .boolean: return .bool(Bool.random(using: &generator))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: date()))
    case .uuid:
      return .uuid(
        UUID(
          uuid: (
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8.random(in: 0...255, using: &generator)
          )))
    case .uri:
      return URL(string: "https://example.org/a%20b?c=\(Int.random(in: 0...99, using: &generator))").map {
        .uri($0)
      } ?? .null
    case .binary:
      return .data(
        Data(
          (0..<Int.random(in: 0...9, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
          }))
    default: return .string(Self.texts.randomElement(using: &generator) ?? "")
    }
  }

  private mutating func decimal() -> Decimal {
    let digits = (0..<Int.random(in: 1...38, using: &generator)).map { _ in
      String(Int.random(in: 0...9, using: &generator))
    }.joined()
    let value = Decimal(string: digits) ?? 0
    return Decimal(
      sign: Bool.random(using: &generator) ? .minus : .plus,
      exponent: Int.random(in: -80...80, using: &generator), significand: value)
  }

  private mutating func date() -> Double {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0:
      let odd: [Double] = [
        0, -0.0, 252_423_993_600.nextDown, -63_145_526_401, 1_099_511_627_776, 1e17, -3e18,
        .leastNonzeroMagnitude,
        -1e-20,
      ]
      return odd.randomElement(using: &generator) ?? 0
    case 1: return exp2(Double.random(in: -40...61, using: &generator))
    default: break
    }
    let whole = Double(Int.random(in: -9_000_000_000...9_000_000_000, using: &generator))
    return Bool.random(using: &generator) ? whole : whole + Double.random(in: 0..<1, using: &generator)
  }

  private static let texts = [
    "", " ", "plain", "null", "\\N", "a,b;c\td", "line\nbreak\r\n", "\"quoted\"", "é", "e\u{301}", "👩‍👩‍👧‍👦",
    "שלום", "\u{0}nul\u{0}",
    "'; DROP TABLE x; --", "\\backslash\\n", "007", "true", "#", "\u{FEFF}bom",
    String(repeating: "x", count: 5000),
  ]
}
