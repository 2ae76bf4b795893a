import Testing

@Suite("insert --id")
struct InsertIdentifierTests {
  @Test("CLI: insert --id makes an object with the id that it has in another store, once")
  func identifiers() throws {
    let tool = try CommandLineTool.staffedCompany()
    #expect(
      try tool.run("insert", "Department", "--id", "Department/p7", "name=Lab").output == "Department/p7\n")
    #expect(try tool.run("insert", "Department", "name=Next").output == "Department/p8\n")
    let taken = try tool.run("insert", "Department", "--id", "Department/p7", "name=Other")
    #expect(taken.code == 65)
    #expect(taken.errors.contains("[not-unique]"), "\(taken.errors)")
    #expect(try tool.run("delete", "Department/p7").code == 0)
    #expect(try tool.run("insert", "Department", "--id", "Department/p7", "name=Lab").code == 0)
    #expect(try tool.run("insert", "Department", "--id", "Project/p9", "name=x").code == 64)
    #expect(try tool.run("check").code == 0)
  }
}
