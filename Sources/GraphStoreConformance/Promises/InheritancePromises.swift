import GraphStore

/// Promises about entities that inherit.
enum InheritancePromises {
  static let all = [
    Promise(
      "inheritance.entities",
      "An object keeps its entity and what that inherits, and is found as one of the entities above."
    ) { run in
      let store = try run.makeStore { context in
        try Staff.insert(in: context)
        try context.insert("Person", ["name": .string("Eve"), "born": .int(1990)])
        let director = try context.object("Director", "Dan")
        for (key, value) in ["born": 1960, "salary": 9, "budget": 1_000] as [String: Int64] {
          try director.setQueryValue(.int(value), forKey: key)
        }
      }
      try store.reopen()
      try store.use { context in
        let people = try context.objects("Person")
        let entities = try people.map { "\(try $0.name) \($0.entity.name)" }
        let expected = ["Ada Employee", "Bob Employee", "Cyd Employee", "Dan Director", "Eve Person"]
        try run.expect("people", entities, expected)
        try run.expect("employees", try context.names("Employee"), ["Ada", "Bob", "Cyd", "Dan"])
        let values = try ["born", "salary", "budget"].map { try people[3].queryValue(forKey: $0) }
        try run.expect("values of Dan", values, [.int(1960), .int(9), .int(1_000)])
        try run.expect("people born before 1970", try context.names("Person", "born < 1970"), ["Dan"])
      }
    },
    Promise("inheritance.predicates", "Predicates may ask for the name of an object's entity.") { run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      try store.use { context in
        let found: KeyValuePairs<String, [String]> = [
          "entity.name == 'Director'": ["Dan"], "entity.name != 'Director'": ["Ada", "Bob", "Cyd"],
          "entity.name == 'Person'": [], "entity.name IN {'Employee', 'Person'}": ["Ada", "Bob", "Cyd"],
        ]
        for (predicate, names) in found {
          try run.expect("people where \(predicate)", try context.names("Person", predicate), names)
        }
      }
    },
    Promise("inheritance.alone", "Sub-entities are left out of a fetch that says so.") { run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      try store.use { context in
        var request = try context.request("Employee", sort: ["name"])
        request.includesSubentities = false
        let names = try context.fetch(request).map { try $0.name }
        try run.expect("employees alone", names, ["Ada", "Bob", "Cyd"])
        try run.expect("the number of employees alone", try context.count(for: request), 3)
      }
    },
  ]
}
