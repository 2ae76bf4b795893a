import GraphStore

/// The one class that this program adds something to; the others are made of the model.
final class Employee: Person {
  override func awakeFromInsert() { email = "unknown@example.org" }

  var title: String { isManager ? "\(name), manager" : name }
}
