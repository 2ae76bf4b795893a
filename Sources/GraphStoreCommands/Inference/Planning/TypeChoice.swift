import GraphStore
import GraphStoreReports

/// The type of an attribute, chosen by the classes of its values.
struct TypeChoice {
  var type: AttributeType
  var reason: String
  /// What did not fit.
  var remarks: [String] = []

  /// The type by the values alone.
  init(of survey: FieldSurvey) {
    let classes = survey.classes
    if classes.isEmpty {
      (type, reason) = (.string, "no value was seen, so that anything may come")
    } else if classes == [.boolean] {
      (type, reason) = (.boolean, "all are true or false")
    } else if classes == [.integer] {
      (type, reason) = (.int64, "all are whole numbers")
    } else if classes.allSatisfy(\.isNumber) {
      (type, reason) = Self.number(survey)
    } else if classes == [.date] {
      (type, reason) = (.date, "all are dates of ISO 8601")
    } else if classes == [.uuid] {
      (type, reason) = (.uuid, "all are UUIDs")
    } else if classes == [.uri] {
      (type, reason) = (.uri, "all are URIs")
    } else if classes == [.data] {
      (type, reason) = (.binary, "all are bytes")
    } else if classes.contains(.data) {
      (type, reason) = (.binary, "bytes, or texts beside them")
    } else if !classes.isDisjoint(with: [.list, .object]) {
      (type, reason) = (.transformable, Self.structured(classes))
    } else {
      (type, reason) = (
        .string, classes == [.text] ? "texts" : "values of several kinds, which only text holds"
      )
    }
    if type == .string || type == .binary, classes.count > 1 { remarks = Self.misfits(of: survey) }
  }

  private static func number(_ survey: FieldSurvey) -> (AttributeType, String) {
    let classes = survey.classes
    if !classes.contains(.fraction) {
      return classes.contains(.amount)
        ? (.decimal, "amounts with two digits behind the point, which stay exact")
        : (.decimal, "whole numbers of more than 64 bits")
    }
    guard survey.exceedsDouble, !survey.exceedsDecimal, !survey.hasExponents else {
      return (.double, "numbers with a fraction")
    }
    return (.decimal, "numbers of more digits than a double keeps")
  }

  private static func structured(_ classes: Set<ValueClass>) -> String {
    if classes == [.list] { return "lists of plain values" }
    return classes == [.object] ? "objects whose keys are data" : "lists, objects or plain values in turn"
  }

  /// How many values are of which class, the rarer ones with their first value.
  private static func misfits(of survey: FieldSurvey) -> [String] {
    let order = survey.sightings.sorted { ($1.value.count, $0.key.words) < ($0.value.count, $1.key.words) }
    guard let most = order.first else { return [] }
    return ["\(most.value.count.grouped) \(most.key.words)"]
      + order.dropFirst().map {
        "\($0.value.count.grouped) \($0.key.words), first \($0.value.example) at \($0.value.place)"
      }
  }
}
