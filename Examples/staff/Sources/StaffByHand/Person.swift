import Foundation
import GraphStore

class Person: ManagedObject {
  static let nameKey = AttributeKey<Person, String>("name")
  static let emailKey = AttributeKey<Person, String>("email")
  static let birthdayKey = AttributeKey<Person, Date>("birthday")

  var name: String {
    get { self[default: Self.nameKey] }
    set { self[Self.nameKey] = newValue }
  }

  var email: String? {
    get { self[Self.emailKey] }
    set { self[Self.emailKey] = newValue }
  }

  var birthday: Date? {
    get { self[Self.birthdayKey] }
    set { self[Self.birthdayKey] = newValue }
  }
}
