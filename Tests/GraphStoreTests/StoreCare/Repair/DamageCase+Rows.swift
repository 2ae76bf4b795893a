@testable import GraphStore

extension DamageCase {
  static let rows = [
    DamageCase(
      [.rowTag], "UPDATE ZPROJECT SET Z_ENT = NULL WHERE Z_PK = 2",
      steps: ["entity tags | Project | give 1 row the only entity that fits"], cells: ["ZPROJECT.Z_ENT#2"]),
    DamageCase(
      [.rowTag], "UPDATE ZPERSON SET Z_ENT = 5 WHERE Z_PK = 5",
      steps: ["entity tags | Person | give 1 row the only entity that fits"], cells: ["ZPERSON.Z_ENT#5"]),
    DamageCase(
      [.rowTag, .referenceTag, .destinationEntity, .linkedEntity],
      "UPDATE ZPERSON SET Z_ENT = 99 WHERE Z_PK = 1",
      steps: ["entity tags | Person | give 1 row the only entity that fits"], cells: ["ZPERSON.Z_ENT#1"]),
    DamageCase([.rowTag], "UPDATE ZPERSON SET Z_ENT = NULL WHERE Z_PK = 3", left: [.rowTag]),
    DamageCase(
      [.referenceTag], "UPDATE ZPASSPORT SET Z5_HOLDER = 6 WHERE Z_PK = 1",
      steps: ["entity tags | Passport.holder | write the number of the object's entity to 1 row"],
      cells: ["ZPASSPORT.Z5_HOLDER#1"]),
    DamageCase(
      [.referenceTag], "UPDATE ZPERSON SET Z5_MENTOR = NULL WHERE Z_PK = 1",
      steps: ["entity tags | Employee.mentor | write the number of the object's entity to 1 row"],
      cells: ["ZPERSON.Z5_MENTOR#1"]),
    DamageCase(
      [.destinationEntity], "UPDATE ZPERSON SET ZMENTOR = 5, Z5_MENTOR = 6 WHERE Z_PK = 2",
      left: [.destinationEntity]),
    DamageCase([.linkedEntity], "UPDATE ZPERSON SET Z10REVIEWERS = 1 WHERE Z_PK = 5", left: [.linkedEntity]),
    DamageCase(
      [.rowVersion], "UPDATE ZPROJECT SET Z_OPT = NULL WHERE Z_PK = 2",
      steps: ["row versions | Project | give 1 row the version 1"], cells: ["ZPROJECT.Z_OPT#2"]),
    DamageCase(
      [.rowVersion], "UPDATE ZPERSON SET Z_OPT = -1 WHERE Z_PK IN (1, 5)",
      steps: ["row versions | Person | give 2 rows the version 1"],
      cells: ["ZPERSON.Z_OPT#1", "ZPERSON.Z_OPT#5"]),
    DamageCase(
      [.missingValue], "UPDATE ZPERSON SET ZNAME = NULL WHERE Z_PK = 5", left: [.missingValue]),
    DamageCase(
      [.missingValue], "UPDATE ZCONTRACT SET ZEMPLOYEE = NULL, Z5_EMPLOYEE = NULL", left: [.missingValue]),
    DamageCase([.memberCount], "UPDATE ZDESK SET ZDEPARTMENT = NULL WHERE Z_PK = 1", left: [.memberCount]),
    DamageCase(
      [.memberCount],
      """
      INSERT INTO ZDESK (Z_PK, Z_ENT, Z_OPT, ZDEPARTMENT) VALUES (3, 3, 1, 1), (4, 3, 1, 1);
      UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Desk'
      """, left: [.memberCount]),
    DamageCase([.misfit], "UPDATE ZPERSON SET ZBIRTHDAY = 'soon' WHERE Z_PK = 1", left: [.misfit]),
    DamageCase(
      [.brokenRule], "UPDATE ZDESK SET ZPLACE = 'at the window in the hall' WHERE Z_PK = 1",
      left: [.brokenRule]),
    DamageCase([.misfit], "UPDATE ZPERSON SET ZBADGE = 3000000000 WHERE Z_PK = 1", left: [.misfit]),
    DamageCase(
      [.missingIndex, .duplicate],
      "DROP INDEX Z_Employee_UNIQUE_badge; UPDATE ZPERSON SET ZBADGE = 1 WHERE Z_PK = 2",
      left: [.missingIndex, .duplicate]),
  ]

  static let links = [
    DamageCase(
      [.disagreeingPair], "UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = 1",
      steps: ["one-to-one | Passport.holder / Person.passport | set the other end of 1 reference"],
      cells: ["ZPERSON.ZPASSPORT#1"]),
    DamageCase(
      [.disagreeingPair], "UPDATE ZPASSPORT SET ZHOLDER = NULL, Z5_HOLDER = NULL WHERE Z_PK = 1",
      steps: ["one-to-one | Passport.holder / Person.passport | set the other end of 1 reference"],
      cells: ["ZPASSPORT.ZHOLDER#1", "ZPASSPORT.Z5_HOLDER#1"]),
    DamageCase(
      [.disagreeingPair, .danglingReference], "UPDATE ZPERSON SET ZPASSPORT = 99 WHERE Z_PK = 1",
      steps: ["one-to-one | Passport.holder / Person.passport | set the other end of 1 reference"],
      cells: ["ZPERSON.ZPASSPORT#1"]),
    DamageCase(
      [.disagreeingPair], "UPDATE ZPERSON SET ZSPOUSE = NULL, Z5_SPOUSE = NULL WHERE Z_PK = 2",
      steps: ["one-to-one | Employee.spouse | set the other end of 1 reference"],
      cells: ["ZPERSON.ZSPOUSE#2", "ZPERSON.Z5_SPOUSE#2"]),
    DamageCase(
      [.disagreeingPair], "UPDATE ZDEPARTMENT SET ZHEAD = NULL WHERE Z_PK = 2",
      steps: ["one-to-one | Department.head / Manager.heads | set the other end of 1 reference"],
      cells: ["ZDEPARTMENT.ZHEAD#2"]),
    // Another object claims what a whole pair has; two pairs cross; two objects claim one that says nothing.
    DamageCase(
      [.disagreeingPair], "UPDATE ZPERSON SET ZPASSPORT = 1 WHERE Z_PK = 3", left: [.disagreeingPair]),
    DamageCase(
      [.disagreeingPair],
      "UPDATE ZPERSON SET ZPASSPORT = 2 WHERE Z_PK = 1; UPDATE ZPERSON SET ZPASSPORT = 1 WHERE Z_PK = 2",
      left: [.disagreeingPair]),
    DamageCase(
      [.disagreeingPair],
      """
      UPDATE ZPASSPORT SET ZHOLDER = NULL, Z5_HOLDER = NULL WHERE Z_PK = 1;
      UPDATE ZPERSON SET ZPASSPORT = 1 WHERE Z_PK = 3
      """, left: [.disagreeingPair]),
    // The one that claims is claimed by a third.
    DamageCase(
      [.disagreeingPair],
      """
      UPDATE ZPERSON SET ZSPOUSE = NULL, Z5_SPOUSE = NULL WHERE Z_PK = 2;
      UPDATE ZPERSON SET ZSPOUSE = 1, Z5_SPOUSE = 7 WHERE Z_PK = 3
      """, left: [.disagreeingPair]),
    DamageCase(
      [.oneSidedPair], "DELETE FROM Z_5FRIENDS WHERE REFLEXIVE = 1",
      steps: ["one-to-one | Person.friends | record 1 pair in the other direction"],
      cells: ["Z_5FRIENDS.Z_5FRIENDS#5-1", "Z_5FRIENDS.REFLEXIVE#5-1"]),
    DamageCase(
      [.danglingReference, .derivedValue],
      "UPDATE ZPERSON SET ZDEPARTMENT = 77 WHERE Z_PK = 3",
      steps: [
        "references | Employee.department | set 1 reference to nil",
        "derived values | Department.headcount | compute 1 value anew",
      ], cells: ["ZPERSON.ZDEPARTMENT#3", "ZPERSON.Z_FOK_DEPARTMENT#3", "ZDEPARTMENT.ZHEADCOUNT#1"]),
    DamageCase(
      [.danglingReference], "UPDATE ZPERSON SET ZMENTOR = 77 WHERE Z_PK = 1",
      steps: ["references | Employee.mentor | set 1 reference to nil"],
      cells: ["ZPERSON.ZMENTOR#1", "ZPERSON.Z5_MENTOR#1"]),
    DamageCase([.danglingReference], "UPDATE ZCONTRACT SET ZEMPLOYEE = 77", left: [.danglingReference]),
    DamageCase(
      [.danglingLink], "INSERT INTO Z_7PROJECTS VALUES (3, 9, 1, 1), (8, 2, 5000, 1), (8, 9, 5, 2)",
      steps: ["join rows | Employee.projects | remove 3 links"],
      cells: Set(
        ["3-9", "8-2", "8-9"].flatMap { key in
          ["Z_7MEMBERS", "Z_10PROJECTS", "Z_FOK_7MEMBERS", "Z_FOK_10PROJECTS"].map {
            "Z_7PROJECTS.\($0)#\(key)"
          }
        })),
    DamageCase(
      [.danglingLink], "UPDATE ZPERSON SET Z10WATCHERS = 66 WHERE Z_PK = 2",
      steps: ["join rows | Project.watchers | remove 1 link"], cells: ["ZPERSON.Z10WATCHERS#2"]),
    DamageCase(
      [.danglingLink, .oneSidedPair], "INSERT INTO Z_5FRIENDS VALUES (2, 66)",
      steps: ["join rows | Person.friends | remove 1 link"],
      cells: ["Z_5FRIENDS.Z_5FRIENDS#2-66", "Z_5FRIENDS.REFLEXIVE#2-66"]),
  ]
}
