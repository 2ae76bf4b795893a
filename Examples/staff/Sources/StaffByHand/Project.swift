import GraphStore

final class Project: ManagedObject {
  static let titleKey = AttributeKey<Project, String>("title")
  static let membersKey = ToManyKey<Project, OrderedSet<Employee>>("members")

  var title: String {
    get { self[default: Self.titleKey] }
    set { self[Self.titleKey] = newValue }
  }

  var members: OrderedSet<Employee> {
    get { self[Self.membersKey] }
    set { self[Self.membersKey] = newValue }
  }

  func insertIntoMembers(_ member: Employee, at index: Int) {
    insert(CollectionOfOne(member), into: Self.membersKey, at: index)
  }
}
