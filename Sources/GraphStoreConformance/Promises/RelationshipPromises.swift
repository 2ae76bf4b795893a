import GraphStore

/// Promises about relationships.
enum RelationshipPromises {
  private static func makeStaff(_ run: PromiseRun) throws -> TestedStore {
    try run.makeStore { try Staff.insert(in: $0) }
  }

  static let all = [
    Promise("relationships.one-to-many", "Both ends of a one-to-many relationship are kept, and agree.") {
      run in
      let store = try makeStaff(run)
      try store.change { context in
        try context.object("Employee", "Cyd").setValue(nil, forKey: "department")
        try context.object("Employee", "Bob").setValue(
          try context.object("Employee", "Dan"), forKey: "manager")
      }
      try store.reopen()
      try store.use { context in
        let tools = try context.object("Department", "Tools")
        try run.expect("Tools.employees", try tools.names("employees"), ["Ada", "Bob"])
        try run.expect("Cyd.department", try context.object("Employee", "Cyd").destination("department"), nil)
        try run.expect("Bob.manager", try context.object("Employee", "Bob").destination("manager"), "Dan")
        try run.expect("Ada.reports", try context.object("Employee", "Ada").names("reports"), ["Cyd"])
        try run.expect("Dan.reports", try context.object("Employee", "Dan").names("reports"), ["Bob"])
      }
    },
    Promise(
      "relationships.one-to-one",
      "A one-to-one relationship has one partner at each end; a new one frees both."
    ) { run in
      let store = try makeStaff(run)
      try store.change { context in
        try context.object("Employee", "Bob").setValue(try context.object("Desk", "D1"), forKey: "desk")
        try context.object("Employee", "Bob").setValue(
          try context.object("Employee", "Dan"), forKey: "spouse")
      }
      try store.reopen()
      try store.use { context in
        try run.expect("D1.owner", try context.object("Desk", "D1").destination("owner"), "Bob")
        try run.expect("Ada.desk", try context.object("Employee", "Ada").destination("desk"), nil)
        try run.expect("Dan.spouse", try context.object("Employee", "Dan").destination("spouse"), "Bob")
        try run.expect("Ada.spouse", try context.object("Employee", "Ada").destination("spouse"), nil)
      }
    },
    Promise(
      "relationships.many-to-many",
      "Both ends of a many-to-many relationship are kept, also where it is its own inverse."
    ) { run in
      let store = try makeStaff(run)
      try store.change { context in
        let bob = try context.object("Employee", "Bob")
        try bob.removeObjects([try context.object("Employee", "Cyd")], forKey: "friends")
        try bob.addObjects([try context.object("Employee", "Ada")], forKey: "friends")
        try bob.removeObjects([try context.object("Project", "Compiler")], forKey: "projects")
      }
      try store.reopen()
      try store.use { context in
        let friends = try context.objects("Employee").map { try $0.names("friends") }
        try run.expect("friends of Ada, Bob, Cyd, Dan", friends, [["Bob"], ["Ada", "Dan"], [], ["Bob"]])
        try run.expect("Bob.projects", try context.object("Employee", "Bob").names("projects"), ["Editor"])
        let members = try context.object("Project", "Compiler").names("members")
        try run.expect("Compiler.members", members, ["Cyd", "Ada"])
      }
    },
    Promise(
      "relationships.ordered",
      "The members of an ordered relationship keep their order, also when it changes."
    ) { run in
      let store = try makeStaff(run)
      try store.reopen()
      try store.use { context in
        let compiler = try context.object("Project", "Compiler")
        try run.expect("Compiler.members", try compiler.names("members"), ["Cyd", "Ada", "Bob"])
        try run.expect("Compiler.steps", try compiler.names("steps"), ["parse", "check", "emit", "link"])
      }
      try store.change { context in
        let steps = try context.object("Project", "Compiler").mutableOrderedSetValue(forKey: "steps")
        try steps.move(from: 3, to: 0)
        try steps.insert(try context.insert("Step", ["name": .string("scan")]), at: 1)
        let members = try context.object("Project", "Compiler").mutableOrderedSetValue(forKey: "members")
        try members.move(from: 0, to: 2)
      }
      try store.reopen()
      try store.use { context in
        let compiler = try context.object("Project", "Compiler")
        try run.expect("Compiler.members", try compiler.names("members"), ["Ada", "Bob", "Cyd"])
        let steps = ["link", "scan", "parse", "check", "emit"]
        try run.expect("Compiler.steps", try compiler.names("steps"), steps)
      }
    },
    Promise("relationships.one-way", "Relationships without an inverse are kept.") { run in
      let store = try makeStaff(run)
      try store.reopen()
      try store.use { context in
        try run.expect("Ada.home", try context.object("Employee", "Ada").destination("home"), "Here")
        try run.expect("Tools.rooms", try context.object("Department", "Tools").names("rooms"), ["R1", "R2"])
      }
      try store.change { context in
        let tools = try context.object("Department", "Tools")
        try tools.removeObjects([try context.object("Room", "R1")], forKey: "rooms")
        try context.object("Employee", "Ada").setValue(nil, forKey: "home")
      }
      try store.reopen()
      try store.use { context in
        try run.expect("Ada.home", try context.object("Employee", "Ada").destination("home"), nil)
        try run.expect("Tools.rooms", try context.object("Department", "Tools").names("rooms"), ["R2"])
      }
    },
  ]
}
