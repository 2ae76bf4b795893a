import GraphStoreModel
import Testing

@testable import GraphStore

@Suite struct SQLSchemaStatementTests {
  let schema: SQLSchema

  init() throws {
    schema = SQLSchema(model: try LayoutModels.company())
  }

  @Test("STO-230, STO-231, STO-233, STO-234, STO-236, STO-237, STO-255: the tables of a rich model")
  func tables() {
    #expect(
      schema.tables.map(schema.createStatement) == [
        "CREATE TABLE ZDEPARTMENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZHEAD INTEGER, "
          + "ZNAME VARCHAR )",
        "CREATE TABLE ZPASSPORT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZHOLDER INTEGER, "
          + "Z3_HOLDER INTEGER, ZNUMBER VARCHAR, ZISSUER VARCHAR, ZCODE BLOB )",
        "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZACTIVE INTEGER, "
          + "ZPASSPORT INTEGER, Z7WATCHERS INTEGER, ZDEPARTMENT INTEGER, ZBADGE INTEGER, ZDEPARTMENT1 INTEGER, "
          + "ZMANAGER INTEGER, Z3_MANAGER INTEGER, ZHEADS INTEGER, Z_FOK_DEPARTMENT1 INTEGER, ZBIRTHDAY TIMESTAMP, ZRATE FLOAT, "
          + "ZSALARY FLOAT, ZSALARY1 DECIMAL, ZSCORE FLOAT, ZEMAIL VARCHAR, ZNAME VARCHAR, ZNOTE VARCHAR, "
          + "ZNOTE1 VARCHAR, ZTAGS BLOB, ZPHOTO BLOB )",
        "CREATE TABLE ZPROJECT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR )",
      ])
  }

  @Test("STO-251, STO-252, STO-253, STO-254, STO-258: the tables of pairs of a rich model")
  func joinTables() {
    #expect(
      schema.joinTables.map(schema.createStatement) == [
        "CREATE TABLE Z_3FRIENDS ( Z_3FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_3FRIENDS, REFLEXIVE) )",
        "CREATE TABLE Z_5PROJECTS ( Z_5MEMBERS INTEGER, Z_7PROJECTS INTEGER, Z_FOK_5MEMBERS INTEGER, "
          + "Z_FOK_7PROJECTS INTEGER, PRIMARY KEY (Z_5MEMBERS, Z_7PROJECTS) )",
        "CREATE TABLE Z_7BLOCKEDBY ( Z_7BLOCKS INTEGER, Z_7BLOCKEDBY INTEGER, "
          + "PRIMARY KEY (Z_7BLOCKS, Z_7BLOCKEDBY) )",
      ])
  }

  @Test("STO-257, STO-262, STO-263, STO-264: the indexes of a rich model")
  func indexes() throws {
    #expect(
      try schema.indexes().map(\.sql) == [
        "CREATE INDEX ZDEPARTMENT_ZHEAD_INDEX ON ZDEPARTMENT (ZHEAD)",
        "CREATE INDEX ZPASSPORT_ZHOLDER_INDEX ON ZPASSPORT (ZHOLDER)",
        "CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT)",
        "CREATE INDEX ZPERSON_ZPASSPORT_INDEX ON ZPERSON (ZPASSPORT)",
        "CREATE INDEX ZPERSON_Z7WATCHERS_INDEX ON ZPERSON (Z7WATCHERS)",
        "CREATE INDEX ZPERSON_ZDEPARTMENT_INDEX ON ZPERSON (ZDEPARTMENT)",
        "CREATE INDEX ZPERSON_ZDEPARTMENT1_INDEX ON ZPERSON (ZDEPARTMENT1)",
        "CREATE INDEX ZPERSON_ZMANAGER_INDEX ON ZPERSON (ZMANAGER)",
        "CREATE INDEX ZPERSON_ZHEADS_INDEX ON ZPERSON (ZHEADS)",
        "CREATE UNIQUE INDEX Z_Passport_UNIQUE_number ON ZPASSPORT (ZNUMBER COLLATE BINARY ASC)",
        "CREATE INDEX Z_Employee_bySalary ON ZPERSON (ZSALARY1 COLLATE BINARY DESC, ZNAME COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Employee_UNIQUE_badge ON ZPERSON (ZBADGE COLLATE BINARY ASC) "
          + "WHERE Z_ENT IN (5, 6)",
        "CREATE INDEX Z_3FRIENDS_REFLEXIVE_INDEX ON Z_3FRIENDS (REFLEXIVE, Z_3FRIENDS)",
        "CREATE INDEX Z_5PROJECTS_Z_7PROJECTS_INDEX ON Z_5PROJECTS (Z_7PROJECTS, Z_5MEMBERS)",
        "CREATE INDEX Z_7BLOCKEDBY_Z_7BLOCKEDBY_INDEX ON Z_7BLOCKEDBY (Z_7BLOCKEDBY, Z_7BLOCKS)",
      ])
  }

  @Test("MDL-288: an index of ranges, which tables do not hold, is left out and the others are made")
  func leftOut() throws {
    let schema = SQLSchema(
      model: try ManagedObjectModel(
        ModelDefinition(entities: [
          EntityDefinition(
            "Thing", attributes: [AttributeDefinition("a", .double), AttributeDefinition("b", .double)],
            indexes: [
              IndexDefinition("area", elements: [.init("a", kind: .rtree), .init("b", kind: .rtree)]),
              IndexDefinition("byA", elements: [.init("a")]),
            ])
        ])))
    #expect(
      try schema.indexes().map(\.sql) == ["CREATE INDEX Z_Thing_byA ON ZTHING (ZA COLLATE BINARY ASC)"])
    #expect(try schema.createStatements().count == 2)
  }

  @Test(
    "STO-247, MDL-283: a composite has a column for each element, nested ones too, and indexes may name them")
  func composite() throws {
    let place = AttributeDefinition(
      "place", .composite,
      elements: [
        AttributeDefinition("street", .string),
        AttributeDefinition(
          "spot", .composite,
          elements: [AttributeDefinition("x", .double), AttributeDefinition("floor", .int16)]),
      ])
    let schema = SQLSchema(
      model: try ManagedObjectModel(
        ModelDefinition(entities: [
          EntityDefinition(
            "Room", attributes: [place, AttributeDefinition("place_street", .string)],
            indexes: [
              IndexDefinition("byPlace", elements: [.init("place.spot.floor"), .init("place.street")])
            ])
        ])))
    #expect(
      try schema.createStatements() == [
        "CREATE TABLE ZROOM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZPLACE_SPOT_FLOOR INTEGER, ZPLACE_SPOT_X FLOAT, ZPLACE_STREET VARCHAR, ZPLACE_STREET1 VARCHAR )",
        "CREATE INDEX Z_Room_byPlace ON ZROOM (ZPLACE_SPOT_FLOOR COLLATE BINARY ASC, "
          + "ZPLACE_STREET COLLATE BINARY ASC)",
      ])
  }
}
