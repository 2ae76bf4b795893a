import Foundation

/// What was seen of one field of all records, in memory that does not grow with their number.
final class FieldSurvey {
  /// How often values of a class were met, and the first of them.
  struct Sighting {
    var count = 0
    /// The first value, cut to what a line of text bears.
    var example: String
    /// Where it stands.
    var place: String
  }

  /// The name in the input.
  let name: String
  /// The number under which values are kept.
  let number: Int
  /// Whether the name may be that of a key of the records.
  let isKeyCandidate: Bool
  /// Whether the name may be that of a reference to records of another entity.
  let isReferenceCandidate: Bool
  /// How many values there are.
  private(set) var values = 0
  private(set) var sightings: [ValueClass: Sighting] = [:]
  /// How many values are texts without a character.
  private(set) var emptyTexts = 0
  /// How many values are objects without a value, which a composite attribute cannot tell from none.
  private(set) var voidObjects = 0
  /// The smallest and the largest whole number.
  private(set) var range: ClosedRange<Int64>?
  /// Whether a number is written with an exponent, so that its digits may be too many for a decimal.
  private(set) var hasExponents = false
  /// Whether a number has digits that a double would lose.
  private(set) var exceedsDouble = false
  /// Whether a number has more digits than a decimal holds.
  private(set) var exceedsDecimal = false
  /// Whether all bytes are as many as those of a UUID.
  private(set) var isOfSixteenBytes = true
  /// The first value of a key candidate that comes again.
  private(set) var repetition: String?
  /// What was seen of the elements of lists.
  private(set) var element: FieldSurvey?
  /// What was seen of the members of objects.
  private(set) var members: ObjectSurvey?
  private let owner: String
  private let depth: Int
  /// Whether the values are elements of lists.
  private let isElement: Bool

  /// - Parameter owner: The entity that the field would belong to.
  init(_ name: String, owner: String, depth: Int, isElement: Bool = false, _ values: KeptValues) {
    self.name = name
    self.owner = owner
    self.depth = depth
    self.isElement = isElement
    number = values.newNumber()
    isKeyCandidate = KeyNames.isKey(name, of: owner)
    isReferenceCandidate = KeyNames.stem(ofReference: name) != nil
  }

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - place: Where it stands, for messages.
  ///   - holder: The number of what holds it: of the list, for an element.
  func add(_ value: SampleValue, at place: @autoclosure () -> String, holder: Int, keeping kept: KeptValues)
    throws
  {
    guard let valueClass = ValueClass(of: value) else { return }
    values += 1
    if sightings[valueClass] == nil {
      sightings[valueClass] = Sighting(example: Self.example(of: value), place: place())
    }
    sightings[valueClass]?.count += 1
    if isKeyCandidate || isReferenceCandidate || valueClass == .reference, let text = value.keyText {
      if try !kept.insert(text, of: number), isKeyCandidate, repetition == nil { repetition = text }
    }
    note(value, of: valueClass)
    switch value {
    case .list(let items): try add(elements: items, at: place(), keeping: kept)
    case .object(let members):
      try add(
        members: members, at: place(), holder: isElement ? holder : kept.newHolder(), keeping: kept)
    default: break
    }
  }

  private func add(
    elements: [SampleValue], at place: String, keeping kept: KeptValues
  ) throws {
    if element == nil { element = FieldSurvey(name, owner: owner, depth: depth + 1, isElement: true, kept) }
    let holder = kept.newHolder()
    for item in elements { try element?.add(item, at: place, holder: holder, keeping: kept) }
    if elements.contains(.null) { element?.holdsNulls = true }
  }

  /// Notes what decides between types of one class.
  private func note(_ value: SampleValue, of valueClass: ValueClass) {
    if valueClass == .object, value.isVoid { voidObjects += 1 }
    if case .data(let bytes) = value { isOfSixteenBytes = isOfSixteenBytes && bytes.count == 16 }
    guard let text = value.keyText else { return }
    if text.isEmpty { emptyTexts += 1 }
    if valueClass == .integer, let number = Int64(text) {
      range = min(range?.lowerBound ?? number, number)...max(range?.upperBound ?? number, number)
    }
    if valueClass == .fraction, text.utf8.contains(where: { $0 | 0x20 == 0x65 }) { hasExponents = true }
    if valueClass.isNumber, text.utf8.count > 16 { note(digits: text) }
  }

  /// Notes whether the digits of a long number are more than types of numbers hold.
  private func note(digits text: String) {
    guard text.utf8.count <= 39, let number = Decimal(string: text) else { return exceedsDecimal = true }
    guard !exceedsDouble, let double = Double(text) else { return }
    // Programs write a double in the fewest digits that tell it from all others, or in 17.
    let forms = ["\(double)", String(format: "%.17g", double)]
    exceedsDouble = !forms.contains { Decimal(string: $0) == number }
  }

  /// Whether lists hold elements without a value.
  private(set) var holdsNulls = false

  private func add(
    members values: [SampleMember], at place: String, holder: Int, keeping kept: KeptValues
  ) throws {
    if members == nil {
      members = ObjectSurvey(
        entity: EntityNames.name(from: name) ?? "Part", depth: depth + 1, isNested: true)
    }
    try members?.add(values, at: place, holder: holder, keeping: kept)
  }

  private static func example(of value: SampleValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let text): text
    case .string(let text), .cell(let text):
      "\"\(text.prefix(40))\(text.utf8.count > 160 || text.count > 40 ? "…" : "")\""
    case .data(let bytes): "\(bytes.count) bytes"
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// The classes of the values that were met.
  var classes: Set<ValueClass> { Set(sightings.keys) }

  /// Whether all values are of the class, and there are some.
  func isAll(_ valueClass: ValueClass) -> Bool { values > 0 && classes == [valueClass] }
}
