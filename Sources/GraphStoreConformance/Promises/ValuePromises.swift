import Foundation
import GraphStore

/// Promises about the values of attributes.
enum ValuePromises {
  static let all = [
    Promise(
      "values.edges",
      "Values of every type come back as they were saved, the largest and the smallest of each among them."
    ) { run in
      let store = try run.makeStore { context in
        for (attribute, values) in SampleValues.byAttribute {
          for (number, value) in values.enumerated() {
            try context.insert("Thing", ["name": .string("\(attribute) \(number)"), attribute: value])
          }
        }
      }
      try store.reopen()
      try store.use { context in
        for (attribute, values) in SampleValues.byAttribute {
          for (number, value) in values.enumerated() {
            let thing = try context.object("Thing", "\(attribute) \(number)")
            try run.expect("Thing.\(attribute)", try thing.queryValue(forKey: attribute), value)
          }
        }
      }
    },
    Promise(
      "values.texts",
      "Texts come back scalar by scalar: composed and decomposed, empty, long, with controls and quotes."
    ) { run in
      let store = try run.makeStore { context in
        for (number, text) in SampleValues.texts.enumerated() {
          try context.insert("Thing", ["name": .string("\(number)"), "text": .string(text)])
        }
      }
      try store.reopen()
      try store.use { context in
        for (number, text) in SampleValues.texts.enumerated() {
          let thing = try context.object("Thing", "\(number)")
          try run.expect("Thing.text", try thing.queryValue(forKey: "text"), .string(text))
        }
      }
    },
    Promise(
      "values.nil", "An attribute without a value is nil, also where it had one before, and is found as nil."
    ) { run in
      let store = try run.makeStore { context in
        try context.insert("Thing", ["name": .string("empty")])
        let cleared = try context.insert("Thing", SampleValues.plain)
        try cleared.setQueryValue(.string("cleared"), forKey: "name")
      }
      try store.change { context in
        let cleared = try context.object("Thing", "cleared")
        for attribute in SampleValues.plain.keys { try cleared.setQueryValue(.null, forKey: attribute) }
      }
      try store.reopen()
      try store.use { context in
        for thing in try context.objects("Thing") {
          for attribute in SampleValues.plain.keys.sorted() {
            try run.expect("Thing.\(attribute)", try thing.queryValue(forKey: attribute), .null)
          }
        }
        for attribute in ["small", "money", "text", "flag", "moment", "tag"] {
          let found = try context.names("Thing", "\(attribute) == nil")
          try run.expect("things whose \(attribute) is nil", found, ["cleared", "empty"])
        }
      }
    },
    Promise(
      "values.composite",
      "The elements of a composite attribute are kept each for itself, and found by predicates."
    ) { run in
      let store = try run.makeStore { context in
        try context.insert(
          "Thing",
          ["name": .string("whole"), "place": .dictionary(["city": .string("Oslo"), "zip": .int(150)])])
        try context.insert(
          "Thing", ["name": .string("half"), "place": .dictionary(["city": .string("Bergen")])])
        try context.insert("Thing", ["name": .string("none")])
      }
      try store.reopen()
      try store.use { context in
        let zips = try ["whole", "half", "none"].map { name in
          try context.object("Thing", name).value(forKeyPath: "place.zip") as? Int32
        }
        try run.expect("Thing.place.zip", zips, [150, nil, nil])
        try run.expect("things in Bergen", try context.names("Thing", "place.city == 'Bergen'"), ["half"])
        try run.expect(
          "things without zip", try context.names("Thing", "place.zip == nil"), ["half", "none"])
      }
    },
    Promise("values.transformable", "A transformable attribute comes back as its transformer made it.") {
      run in
      let store = try run.makeStore { context in
        try context.insert("Thing", ["name": .string("shaped")]).setValue("circle", forKey: "shape")
      }
      try store.reopen()
      try store.use { context in
        let shape = try context.object("Thing", "shaped").value(forKey: "shape") as? String
        try run.expect("Thing.shape", shape, "circle")
      }
    },
  ]
}
