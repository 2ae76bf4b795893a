@testable import GraphStore

extension DamageCase {
  static let places = [
    DamageCase(
      [.place], "UPDATE ZPERSON SET Z_FOK_DEPARTMENT = NULL WHERE Z_PK = 2",
      steps: ["order keys | Department.employees | give 1 member a place in the order that reading shows"],
      cells: ["ZPERSON.Z_FOK_DEPARTMENT#2"]),
    DamageCase(
      [.place], "UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 2048 WHERE Z_PK = 2",
      steps: ["order keys | Department.employees | give 1 member a place in the order that reading shows"],
      cells: ["ZPERSON.Z_FOK_DEPARTMENT#2"]),
    DamageCase(
      [.place], "UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 9223372036854775807 WHERE Z_PK = 1",
      steps: ["order keys | Department.employees | give 1 member a place in the order that reading shows"],
      cells: ["ZPERSON.Z_FOK_DEPARTMENT#1"]),
    DamageCase(
      [.place, .misfit], "UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 'last' WHERE Z_PK = 3",
      steps: ["order keys | Department.employees | give 1 member a place in the order that reading shows"],
      cells: ["ZPERSON.Z_FOK_DEPARTMENT#3"]),
    DamageCase(
      [.place], "UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 9223372036854775807 WHERE Z_PK = 4",
      steps: ["order keys | Department.employees | clear 1 place of rows that are no members"],
      cells: ["ZPERSON.Z_FOK_DEPARTMENT#4"]),
    DamageCase(
      [.place], "UPDATE Z_7PROJECTS SET Z_FOK_10PROJECTS = 7",
      steps: ["order keys | Employee.projects | give 1 member a place in the order that reading shows"],
      cells: ["Z_7PROJECTS.Z_FOK_10PROJECTS#1-2"]),
    DamageCase(
      [.place], "UPDATE Z_7PROJECTS SET Z_FOK_7MEMBERS = NULL WHERE Z_7MEMBERS = 1 AND Z_10PROJECTS = 1",
      steps: ["order keys | Project.members | give 1 member a place in the order that reading shows"],
      cells: ["Z_7PROJECTS.Z_FOK_7MEMBERS#1-1"]),
    // Between the neighbours there is no room: all are placed anew.
    DamageCase(
      [.place],
      """
      UPDATE ZPERSON SET Z_FOK_DEPARTMENT = Z_PK WHERE Z_PK < 4;
      UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 1 WHERE Z_PK = 2; UPDATE ZPERSON SET Z_FOK_DEPARTMENT = 2 WHERE Z_PK = 3
      """,
      steps: ["order keys | Department.employees | give 3 members a place in the order that reading shows"],
      cells: Set((1...3).map { "ZPERSON.Z_FOK_DEPARTMENT#\($0)" })),
  ]

  static let tables = [
    DamageCase(
      [.metadataRows], "INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA",
      steps: ["system tables | Z_METADATA | remove 1 row that repeats the first one"],
      cells: Set(["Z_VERSION", "Z_UUID", "Z_PLIST"].map { "Z_METADATA.\($0)#2" })),
    DamageCase(
      [.metadataRows], "INSERT INTO Z_METADATA SELECT 2, 'other', Z_PLIST FROM Z_METADATA",
      left: [.metadataRows]),
    DamageCase(
      [.systemColumns, .unfinished], "ALTER TABLE Z_PRIMARYKEY DROP COLUMN Z_SUPER",
      left: [.systemColumns, .unfinished]),
    DamageCase(
      [.missingTable], "DROP TABLE ZSPARE",
      steps: ["tables | ZSPARE | make the table, which never had a row"]),
    DamageCase(
      [.missingTable], "DROP TABLE Z_7SPARES",
      steps: [
        "tables | Z_7SPARES | make the table, which never had a row",
        "tables | Z_7SPARES | make the index Z_7SPARES_Z_11SPARES_INDEX",
      ]),
    DamageCase([.missingTable], "DROP TABLE ZCONTRACT", left: [.missingTable]),
    DamageCase([.missingTable], "DROP TABLE Z_5FRIENDS", left: [.missingTable]),
    DamageCase(
      [.missingColumns], "ALTER TABLE ZSPARE DROP COLUMN ZLABEL",
      steps: ["tables | ZSPARE | add ZLABEL to the table, which has no rows"]),
    DamageCase([.missingColumns], "ALTER TABLE ZPROJECT DROP COLUMN ZTITLE", left: [.missingColumns]),
    DamageCase(
      [.columnType],
      remake("ZPROJECT", "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE INTEGER"),
      left: [.columnType]),
    DamageCase(
      [.missingKey],
      remake(
        "ZPROJECT", "Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR",
        "CREATE INDEX mine ON ZPROJECT (ZTITLE)"),
      steps: ["tables | ZPROJECT | make the table anew with the key Z_PK"]),
    // Which of the rows a link means is not certain, and none is removed.
    DamageCase(
      [.missingKey, .danglingLink],
      remake("ZPROJECT", "Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR")
        + "UPDATE ZPROJECT SET Z_PK = 1", left: [.missingKey, .danglingLink]),
    DamageCase(
      [.missingKey],
      remake("ZPROJECT", "Z_PK INTEGER, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR")
        + "ALTER TABLE ZPROJECT ADD COLUMN MINE", left: [.missingKey]),
    DamageCase(
      [.missingKey], remake("Z_PRIMARYKEY", "Z_ENT INTEGER, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER"),
      steps: ["tables | Z_PRIMARYKEY | make the table anew with the key Z_ENT"]),
    DamageCase(
      [.missingPairKey, .missingIndex],
      remake(
        "Z_5FRIENDS", "Z_5FRIENDS INTEGER, REFLEXIVE INTEGER",
        "INSERT INTO Z_5FRIENDS SELECT * FROM Z_5FRIENDS"),
      steps: [
        "tables | Z_5FRIENDS | make the table anew with a key, so that each link is there once",
        "tables | Z_5FRIENDS | make the index Z_5FRIENDS_REFLEXIVE_INDEX",
      ]),
    DamageCase(
      [.missingIndex], "DROP INDEX ZPERSON_ZDEPARTMENT_INDEX",
      steps: ["tables | ZPERSON | make the index ZPERSON_ZDEPARTMENT_INDEX"]),
    DamageCase(
      [.missingIndex], "DROP INDEX Z_Employee_UNIQUE_badge",
      steps: ["tables | ZPERSON | make the index Z_Employee_UNIQUE_badge"]),
    DamageCase(
      [.missingIndex],
      "DROP INDEX Z_Employee_UNIQUE_badge; CREATE INDEX Z_Employee_UNIQUE_badge ON ZPHOTO (ZNAME)",
      left: [.missingIndex]),
    DamageCase(
      [.trigger, .rowVersion],
      "CREATE TRIGGER theirs AFTER UPDATE ON ZPROJECT BEGIN SELECT 1; END; UPDATE ZPROJECT SET Z_OPT = NULL",
      left: [.trigger, .rowVersion]),
    DamageCase(
      [.virtualTable, .rowVersion],
      "CREATE VIRTUAL TABLE words USING fts5(word); UPDATE ZPROJECT SET Z_OPT = NULL WHERE Z_PK = 1",
      steps: ["row versions | Project | give 1 row the version 1"], left: [.virtualTable],
      cells: ["ZPROJECT.Z_OPT#1"]),
  ]

  static let numbers = [
    DamageCase(
      [.unknownEntity], "INSERT INTO Z_PRIMARYKEY VALUES (40, 'Ghost', 0, 0)", left: [.unknownEntity]),
    // A second number for an entity: which of them rows have is not certain, and no row is touched.
    DamageCase(
      [.unknownEntity, .rowVersion],
      "INSERT INTO Z_PRIMARYKEY VALUES (0, 'Employee', 5, 0); UPDATE ZPROJECT SET Z_OPT = NULL",
      left: [.unknownEntity, .rowVersion]),
    DamageCase(
      [.parentNumber], "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_ENT = 7",
      steps: ["entity numbers | Employee | record the parent's number 5"], cells: ["Z_PRIMARYKEY.Z_SUPER#7"]),
    DamageCase(
      [.missingNumber], "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Manager'",
      steps: ["entity numbers | Manager | record the number 8"],
      cells: Set(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"].map { "Z_PRIMARYKEY.\($0)#8" })),
    DamageCase(
      [.missingNumber, .keyCounter], "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'",
      steps: [
        "entity numbers | Person | record the number 5", "key counters | Person | count on from the key 5",
      ], cells: Set(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"].map { "Z_PRIMARYKEY.\($0)#5" })),
    DamageCase(
      [.keyCounter], "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 5",
      steps: ["key counters | Person | count on from the key 5"], cells: ["Z_PRIMARYKEY.Z_MAX#5"]),
    DamageCase(
      [.keyCounter], "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 10",
      steps: ["key counters | Project | count on from the key 2"], cells: ["Z_PRIMARYKEY.Z_MAX#10"]),
    // The key of an object that is gone is not handed out again as long as a mandatory reference leads to it.
    DamageCase(
      [.keyCounter, .danglingReference],
      "UPDATE ZCONTRACT SET ZEMPLOYEE = 77; UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 5",
      steps: ["key counters | Person | count on from the key 77"], left: [.danglingReference],
      cells: ["Z_PRIMARYKEY.Z_MAX#5"]),
    DamageCase(
      [.impossibleKey], "INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT) VALUES (-7, 10, 1)", left: [.impossibleKey]
    ),
    DamageCase(
      [.impossibleKey, .keyCounter],
      "INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT) VALUES (9223372036854775807, 10, 1)",
      left: [.impossibleKey, .keyCounter]),
  ]

  static let data = [
    DamageCase(
      [.derivedValue], "UPDATE ZDEPARTMENT SET ZHEADCOUNT = 7 WHERE Z_PK = 1",
      steps: ["derived values | Department.headcount | compute 1 value anew"],
      cells: ["ZDEPARTMENT.ZHEADCOUNT#1"]),
    DamageCase([.externalBytes], "UPDATE ZPHOTO SET ZIMAGE = x'FF' WHERE Z_PK = 1", left: [.externalBytes]),
    DamageCase(
      [.missingFile],
      "UPDATE ZPHOTO SET ZIMAGE = CAST(x'02' || '5E9F0F3A-0000-4000-8000-000000000001' || x'00' AS BLOB) WHERE Z_PK = 1",
      left: [.missingFile]),
    DamageCase(
      [.missingFile, .sharedFile],
      "UPDATE ZPHOTO SET ZIMAGE = CAST(x'02' || '5E9F0F3A-0000-4000-8000-000000000001' || x'00' AS BLOB) WHERE Z_PK < 3",
      left: [.missingFile, .sharedFile]),
  ]
}
