import Foundation

/// Oracle of exports, read from the tables by SQLite alone.
struct ExportOracle {
  struct Difference {
    var kind: String
    var text: String
  }

  private struct Attribute {
    var name: String
    var type: String
    var column: String { "Z" + name.uppercased() }
  }

  private struct Entity {
    var name: String
    var root: String
    var attributes: [Attribute]
    var toOnes: [String]
  }

  private let store: String
  private var entities: [String: Entity] = [:]

  init(model path: String, store: String) throws {
    self.store = store
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
    let list = ((object as? [String: Any])?["entities"] as? [[String: Any]]) ?? []
    let byName = Dictionary(uniqueKeysWithValues: list.map { ($0["name"] as? String ?? "", $0) })
    for name in byName.keys {
      var entity = Entity(name: name, root: name, attributes: [], toOnes: [])
      var current: String? = name
      while let next = current, let definition = byName[next] {
        entity.root = next
        for attribute in definition["attributes"] as? [[String: Any]] ?? [] {
          entity.attributes.append(
            Attribute(name: attribute["name"] as? String ?? "", type: attribute["type"] as? String ?? ""))
        }
        for relationship in definition["relationships"] as? [[String: Any]] ?? []
        where relationship["toMany"] as? Bool != true {
          entity.toOnes.append(relationship["name"] as? String ?? "")
        }
        current = definition["parent"] as? String
      }
      entities[name] = entity
    }
  }

  /// How an export in NDJSON differs from the rows.
  func differences(from export: [UInt8]) throws -> [Difference] {
    let reader = try SecondReader(store)
    var differences: [Difference] = []
    var records: [String: [String: Any]] = [:]
    for line in export.split(separator: UInt8(ascii: "\n")) {
      guard
        let record = try? JSONSerialization.jsonObject(with: Data(line), options: .fragmentsAllowed)
          as? [String: Any],
        let id = record["id"] as? String
      else {
        let text = String(decoding: line.prefix(300), as: UTF8.self)
        differences.append(Difference(kind: "no JSON", text: text))
        continue
      }
      records[id] = record
    }
    var count = 0
    for row in try reader.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY") {
      guard let name = row[1].string, let entity = entities[name] else { continue }
      let columns = ["Z_PK"] + entity.attributes.map(\.column) + entity.toOnes.map { "Z" + $0.uppercased() }
      let list = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      for cells in try reader.rows(
        "SELECT \(list) FROM \"Z\(entity.root.uppercased())\" WHERE Z_ENT = ?", [row[0]])
      {
        count += 1
        guard case .integer(let key) = cells[0], let record = records["\(name)/p\(key)"] else {
          differences.append(Difference(kind: "object missing", text: "\(name) \(cells[0])"))
          continue
        }
        for (attribute, cell) in zip(entity.attributes, cells.dropFirst())
        where !agrees(record[attribute.name], with: cell, type: attribute.type) {
          differences.append(
            Difference(
              kind: "\(attribute.type) value",
              text:
                "\(name)/p\(key).\(attribute.name): \(String(describing: record[attribute.name])), stored \(cell)"
            ))
        }
        for (relationship, cell) in zip(entity.toOnes, cells.dropFirst(1 + entity.attributes.count)) {
          let reference = record[relationship] as? String
          let isRight =
            if case .integer(let target) = cell { reference?.hasSuffix("/p\(target)") == true } else {
              reference == nil
            }
          if !isRight {
            differences.append(
              Difference(
                kind: "to-one",
                text: "\(name)/p\(key).\(relationship): \(reference ?? "null"), stored \(cell)"))
          }
        }
      }
    }
    if count != records.count {
      differences.append(Difference(kind: "number of objects", text: "\(records.count), stored \(count)"))
    }
    return differences
  }

  private func agrees(_ exported: Any?, with cell: SecondReader.Value, type: String) -> Bool {
    if exported == nil || exported is NSNull { return cell == .null }
    switch (type, cell) {
    case (_, .null): return false
    case ("string", .text(let bytes)), ("uri", .text(let bytes)):
      return (exported as? String).map { Array($0.utf8) } == bytes
    case ("decimal", .integer(let number)): return exported as? String == String(number)
    case ("decimal", .real(let number)):
      return (exported as? String).flatMap(Double.init).map { isClose($0, number) } ?? false
    case ("decimal", .blob), ("decimal", .text):
      guard let text = exported as? String, let mine = Double(text),
        let stored = cell.string.flatMap(Double.init)
      else { return false }
      return isClose(mine, stored)
    case ("double", .real(let number)), ("float", .real(let number)):
      return (exported as? NSNumber).map {
        isClose($0.doubleValue, type == "float" ? Double(Float(number)) : number)
      }
        ?? false
    case ("double", .integer(let number)), ("float", .integer(let number)):
      return (exported as? NSNumber).map { isClose($0.doubleValue, Double(number)) } ?? false
    case ("boolean", .integer(let number)): return (exported as? Bool) == (number != 0)
    case ("int16", .integer(let number)), ("int32", .integer(let number)), ("int64", .integer(let number)):
      return (exported as? NSNumber)?.int64Value == number
    case ("date", .real(let number)) where !Self.datesWithText.contains(number):
      return (exported as? NSNumber).map { isClose($0.doubleValue, number) } ?? false
    case ("date", .integer), ("date", .real): return (exported as? String)?.isEmpty == false
    case ("binary", .blob(let bytes)):
      return (exported as? String).flatMap { Data(base64Encoded: $0) } == Data(bytes)
    case ("uuid", .blob(let bytes)):
      return (exported as? String)?.replacingOccurrences(of: "-", with: "").uppercased()
        == bytes.map { String(format: "%02X", $0) }.joined()
    default: return false
    }
  }

  /// The dates that a text can say, in seconds; others go out as numbers.
  private static let datesWithText = -3.155e18...3.155e18

  private func isClose(_ left: Double, _ right: Double) -> Bool {
    left == right || abs(left - right) <= abs(right) * 1e-6
  }
}
