import GraphStore

/// Promises about objects whose values are read when they are needed.
enum FaultPromises {
  static let all = [
    Promise("faulting.faults", "A fault has its identity, and reads its values when it is first asked.") {
      run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      try store.reopen()
      let uri = try store.use { try $0.object("Employee", "Ada").objectID.uriRepresentation }
      try store.use { context in
        guard let id = store.coordinator.managedObjectID(forURIRepresentation: uri) else {
          return try run.expect("the identifier of \(uri)", "none", "one")
        }
        let ada = try context.object(with: id)
        try run.expect("whether Ada is a fault", ada.isFault, true)
        try run.expect("Ada.department", try ada.destination("department"), "Tools")
        try run.expect("whether Ada is a fault", ada.isFault, false)
      }
    },
    Promise("faulting.missing", "An object that is gone is not found by its identifier.") { run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      let id = try store.use { try $0.object("Employee", "Bob").objectID }
      try store.change { try $0.delete(try $0.object("Employee", "Bob")) }
      try store.use { context in
        try run.expectFailure("Bob, who was deleted", .objectNotFound) {
          _ = try context.existingObject(with: id)
        }
        let found = try context.existingObjects(with: [id]).count
        try run.expect("the number of objects with Bob's identifier", found, 0)
      }
    },
    Promise("faulting.prefetching", "Prefetched relationships have the members that they have without.") {
      run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      try store.reopen()
      func members(_ paths: [String]) throws -> [String] {
        try store.use { context in
          var request = try context.request("Project", sort: ["name"])
          request.relationshipKeyPathsForPrefetching = paths
          return try context.fetch(request).map { project in
            let departments = try project.objects(forKey: "members").map {
              "\(try $0.name) of \(try $0.destination("department") ?? "none")"
            }
            return "\(try project.name): \(departments), \(try project.names("steps"))"
          }
        }
      }
      let plain = try members([])
      try run.expect("projects", plain.count, 2)
      try run.expect("prefetched projects", try members(["members.department", "steps"]), plain)
    },
    Promise("faulting.refreshing", "A refreshed object has what the store has.") { run in
      let store = try run.makeStore { try Staff.insert(in: $0) }
      let context = store.context()
      try context.use { try $0.object("Employee", "Ada").setQueryValue(.int(1), forKey: "salary") }
      try store.change { try $0.object("Employee", "Ada").setQueryValue(.int(2), forKey: "salary") }
      try context.use { context in
        let ada = try context.object("Employee", "Ada")
        try ada.refresh(mergeChanges: false)
        try run.expect("Ada.salary", try ada.queryValue(forKey: "salary"), .int(2))
        try run.expect("whether there are changes", context.hasChanges, false)
      }
    },
  ]
}
