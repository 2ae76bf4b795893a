import Testing

@testable import GraphStoreCodegen

@Suite("Names of a model in Swift")
struct SwiftNameTests {
  @Test("A keyword goes into quotes, what cannot be declared gets an underscore")
  func declared() {
    #expect(SwiftName.declared("default") == "`default`")
    #expect(SwiftName.declared("name") == "name")
    #expect(SwiftName.declared("Type") == "Type_")
    #expect(SwiftName.declared("_") == "__")
    #expect(SwiftName.declared("name", taken: ["name", "name_"]) == "name__")
    #expect(SwiftName.declared("My-Class 2") == "My_Class_2")
    #expect(SwiftName.declared("2nd") == "_2nd")
    #expect(SwiftName.declared("") == "__")
  }

  @Test(
    "Parameters of templates begin with a small letter",
    arguments: [
      ("MIN", "min"), ("MIN_SALARY", "minSalary"), ("minSalary", "minSalary"), ("Name", "name"),
      ("_", "value"), ("DATE1", "date1"), ("Start_date", "start_date"),
    ])
  func parameters(_ variable: String, _ parameter: String) {
    #expect(SwiftName.parameter(variable) == parameter)
  }
}
