/// Collects what a reader of compiled models has to say, each thing once.
struct CompiledModelFindings {
  /// Findings beyond this number are counted only.
  private static let maximum = 200

  /// A part of the model, as messages name it.
  struct Place {
    let path: ModelPath
    /// `the model`, `Person`, `Person.name`, `the fetch request "recent"`.
    let name: String
  }

  private var findings: [ModelProblem] = []
  private var seen: Set<String> = []
  private var surplus = 0

  /// Everything that was found, in the order it was found.
  var all: [ModelProblem] {
    guard surplus > 0 else { return findings }
    return findings + [
      ModelProblem.warning(
        "compiled-more", at: ModelPath(), message: "There are \(surplus) more findings of these kinds.")
    ]
  }

  /// Records something that was left out, or read in another sense than its letter's.
  mutating func add(_ rule: String, at place: Place, message: String) {
    guard findings.count < Self.maximum else {
      surplus += 1
      return
    }
    findings.append(
      ModelProblem.warning(
        ModelProblem.Code(rule), at: place.path, message: "\(place.name.prefix(200)): \(message)"))
  }

  /// Records a part with a meaning that is not known here.
  mutating func add(_ error: KeyedArchiveError, _ place: Place, dropping what: String) {
    add("compiled-unknown-part", at: place, message: "\(error.message) \(what) is left out.")
  }

  /// Records the keys of an object that are not known here, those of a class together and once.
  mutating func addUnknownKeys(of object: ArchivedObject, besides known: Set<String>, _ place: Place) {
    let keys = object.fields.keys.filter { key in
      guard key != "$class", !known.contains(key) else { return false }
      if case .reference(0)? = object.fields[key] { return false }
      return !seen.contains("\(object.className).\(key)")
    }
    guard !keys.isEmpty else { return }
    for key in keys { seen.insert("\(object.className).\(key)") }
    let names = keys.sorted(by: VersionHash.precedes).prefix(20).map { String($0.prefix(80)) }
    add(
      "compiled-unknown-key", at: place,
      message:
        "\(object.className.prefix(80)) says \(names.joined(separator: ", ")), whose meaning is not known.")
  }
}
