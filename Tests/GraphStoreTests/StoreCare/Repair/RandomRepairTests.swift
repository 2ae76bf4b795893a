import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Random damage to random stores")
struct RandomRepairTests {
  /// The columns of attributes, of which a repair changes none but the derived one.
  private static let attributes = [
    "ZNAME", "ZBIRTHDAY", "ZRATE", "ZBADGE", "ZNUMBER", "ZTITLE", "ZYEAR", "ZIMAGE", "ZPLACE", "ZLABEL",
    "Z_PK",
  ]

  private func fill(_ store: RepairStore, using random: inout SeededGenerator) throws {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: store.path)
    let context = ManagedObjectContext(coordinator: coordinator)
    var people: [ManagedObject] = []
    for number in 0..<Int.random(in: 5...40, using: &random) {
      let entity = random.pick(["Employee", "Manager", "Contractor"])
      people.append(try context.insert(entity, ["name": "n\(number)"]))
      if random.chance(40) {
        let passport = try context.insert("Passport", ["number": "\(number)"])
        try people[number].setValue(passport, forKey: "passport")
      }
    }
    let departments = try (0..<4).map { try context.insert("Department", ["name": "d\($0)"]) }
    let projects = try (0..<4).map { try context.insert("Project", ["title": "t\($0)"]) }
    let employees = people.filter { $0.entity.name != "Contractor" }
    for employee in employees {
      if random.chance(70) { try employee.setValue(random.pick(departments), forKey: "department") }
      if random.chance(40) { try employee.setValue(random.pick(employees), forKey: "mentor") }
      if random.chance(40) { try employee.setValue(random.pick(employees), forKey: "spouse") }
      if random.chance(60) { try employee.addObjects([random.pick(projects)], forKey: "projects") }
      if random.chance(50) { try context.insert("Contract", ["employee": employee]) }
    }
    for person in people {
      try person.addObjects([random.pick(people), random.pick(people)], forKey: "friends")
      try random.pick(projects).addObjects([person], forKey: "watchers")
    }
    try context.save()
    coordinator.close()
  }

  private func damage(using random: inout SeededGenerator) -> String {
    let (key, other, gone) = (
      Int.random(in: 1...40, using: &random), Int.random(in: 1...40, using: &random),
      Int.random(in: 900...999, using: &random)
    )
    return random.pick([
      "UPDATE ZPERSON SET ZDEPARTMENT = \(gone) WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET ZMENTOR = \(gone) WHERE Z_PK = \(key)",
      "UPDATE ZCONTRACT SET ZEMPLOYEE = \(gone) WHERE Z_PK = \(key)",
      "DELETE FROM ZDEPARTMENT WHERE Z_PK = \(key % 6 + 1)", "DELETE FROM ZPERSON WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET ZPASSPORT = \(other) WHERE Z_PK = \(key)",
      "UPDATE ZPASSPORT SET ZHOLDER = NULL, Z5_HOLDER = NULL WHERE Z_PK = \(key)",
      "UPDATE ZPASSPORT SET ZHOLDER = \(gone) WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET ZSPOUSE = NULL WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET ZSPOUSE = \(other), Z5_SPOUSE = 7 WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET Z5_SPOUSE = \(other) WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET Z_FOK_DEPARTMENT = NULL WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET Z_FOK_DEPARTMENT = \(2048 + 1024 * (other % 3))",
      "UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 9223372036854775807 WHERE Z_PK = \(key)",
      "UPDATE Z_7PROJECTS SET Z_FOK_7MEMBERS = \(other)", "UPDATE Z_7PROJECTS SET Z_FOK_10PROJECTS = NULL",
      "UPDATE ZPERSON SET Z_ENT = NULL WHERE Z_PK = \(key)", "UPDATE ZPROJECT SET Z_ENT = \(gone)",
      "UPDATE ZPERSON SET Z_ENT = \(random.pick([6, 7, 8])) WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET Z_OPT = NULL WHERE Z_PK > \(key)",
      "UPDATE ZPROJECT SET Z_OPT = 9223372036854775807",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = \(key % 5)", "UPDATE Z_PRIMARYKEY SET Z_SUPER = \(other)",
      "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = \(key % 11 + 1)",
      "INSERT OR IGNORE INTO Z_7PROJECTS VALUES (\(gone), \(other % 6), 1, 1)",
      "INSERT OR IGNORE INTO Z_5FRIENDS VALUES (\(key), \(other))",
      "DELETE FROM Z_5FRIENDS WHERE REFLEXIVE < \(key)",
      "UPDATE ZPERSON SET Z10WATCHERS = \(other % 9) WHERE Z_PK = \(key)",
      "DROP INDEX IF EXISTS ZPERSON_ZSPOUSE_INDEX", "DROP INDEX IF EXISTS Z_Passport_UNIQUE_number",
      "UPDATE ZDEPARTMENT SET ZHEADCOUNT = \(other)", "UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = \(key)",
      "UPDATE ZPERSON SET ZBIRTHDAY = 'soon' WHERE Z_PK = \(key)", "DROP TABLE IF EXISTS ZSPARE",
      "INSERT OR IGNORE INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA",
    ])
  }

  @Test(
    "REL-306: after a repair a check finds what was said to be left, and no attribute or row is lost",
    arguments: TestSeed.sequence(3, from: 306))
  func random(seed: TestSeed) throws {
    var random = seed.generator
    var (mended, clean) = (0, 0)
    for round in 0..<8 {
      let store = try RepairStore()
      try fill(store, using: &random)
      let damage = (0..<Int.random(in: 1...8, using: &random)).map { _ in self.damage(using: &random) }
      for statement in damage { try store.execute(statement) }
      let context: Comment = "\(seed) round \(round): \(damage.joined(separator: ";\n"))"
      let (found, before) = try (store.findings(), store.cells())
      let repair = try StoreRepair(path: store.path)
      #expect(try store.cells() == before, context)
      guard !repair.steps.isEmpty else {
        #expect(repair.unrepaired.map(\.finding) == found, context)
        continue
      }
      let result = try repair.run()
      #expect(result.steps == repair.steps, context)
      #expect(try store.findings() == result.unrepaired.map(\.finding), context)
      #expect(try StoreRepair(path: store.path).steps == [], context)
      let changed = try RepairStore.difference(before, store.cells())
      let lost = changed.filter { cell in
        let column = cell.split(separator: ".")[1].split(separator: "#")[0]
        return Self.attributes.contains(String(column)) && cell.hasPrefix("Z_") == false
      }
      #expect(lost == [], context)
      #expect(try RepairStore.difference(before, store.cells(result.backup)) == [], context)
      // A place is taken by one member alone, and whatever a save writes is sound.
      mended += 1
      guard result.unrepaired.isEmpty else { continue }
      clean += 1
      try use(store, context)
    }
    #expect(mended > 4 && clean > 0, "\(seed): \(mended) stores were mended, \(clean) wholly")
  }

  private func use(_ store: RepairStore, _ comment: Comment) throws {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: store.path)
    let context = ManagedObjectContext(coordinator: coordinator)
    for person in try context.all("Person") { try person.setValue("renamed", forKey: "name") }
    for department in try context.all("Department") {
      let new = try context.insert("Employee", ["name": "new"])
      try department.addObjects([new], forKey: "employees")
    }
    try context.save()
    coordinator.close()
    #expect(try store.findings() == [], comment)
  }
}
