import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStoreCodegen

@Suite("Types of a predicate's variables")
struct PredicateVariableTypesTests {
  private let model: ManagedObjectModel

  init() throws {
    model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "A",
          attributes: [
            .init("i", .int16), .init("l", .int64), .init("d", .decimal), .init("s", .string),
            .init("t", .date),
            .init("u", .uuid), .init("f", .boolean), .init("b", .binary),
          ],
          relationships: [
            .init("one", to: "A", inverse: "many"), .init("many", to: "A", inverse: "one", isToMany: true),
          ])
      ]))
  }

  private func types(_ text: String) throws -> [String] {
    try PredicateVariableTypes(QueryPredicate(parsing: text), of: model.entities[0]).variables.map {
      name, type in
      "\(name) \(words(type))"
    }
  }

  private func words(_ type: VariableType) -> String {
    switch type {
    case .anything: "any"
    case .attribute(let type): type.rawValue
    case .object(let entity): entity.name
    case .list(let member): "[\(words(member))]"
    }
  }

  @Test(
    "A variable has the type of what it is compared with",
    arguments: [
      ("i > $X", ["X int16"]), ("$X <= d", ["X decimal"]), ("one.one.s BEGINSWITH[cd] $X", ["X string"]),
      ("t BETWEEN {$FROM, $TO}", ["FROM date", "TO date"]), ("u IN $LIST", ["LIST [uuid]"]),
      ("t BETWEEN $SPAN", ["SPAN [date]"]), ("one == $O", ["O A"]), ("one IN $OS", ["OS [A]"]),
      ("$O IN many", ["O A"]),
      ("many CONTAINS $O", ["O A"]), ("ANY many.i == $X", ["X int16"]), ("SELF == $ME", ["ME A"]),
      ("many.@count > $N", ["N int64"]), ("f == $F OR b == $B", ["F boolean", "B binary"]),
      ("SUBQUERY(many, $m, $m.d > $D AND $m.one == $O).@count > $N", ["D decimal", "O A", "N int64"]),
      ("i > $X AND l < $X", ["X any"]), ("i > $X AND i < $X", ["X int16"]), ("$X == $Y", ["X any", "Y any"]),
      ("i + $X > 3", ["X any"]), ("i + l > $X", ["X int64"]), ("s == nil", []),
      ("NOT (s LIKE $P)", ["P string"]), ("$K IN {1, 2}", ["K int64"]), ("$K.x == 1", ["K any"]),
    ] as [(String, [String])])
  func inference(_ text: String, _ expected: [String]) throws {
    #expect(try types(text) == expected, "\(text)")
  }
}
