import Foundation
import Testing

@Suite("graphstore model show")
struct ModelShowTests {
  private static let rich = """
    {"name": "Rich", "version": "3", "userInfo": {"team": "data"}, "localization": {"Entity/Place": "Ort"},
     "entities": [
      {"name": "Thing", "abstract": true, "className": "RichThing", "userInfo": {"note": [1, "x"]},
       "attributes": [{"name": "name", "type": "string", "optional": false,
                       "validations": [{"predicate": "SELF != ''"}], "renamingIdentifier": "title"}]},
      {"name": "Place", "parent": "Thing",
       "attributes": [
        {"name": "address", "type": "composite",
         "attributes": [{"name": "city", "type": "string"}, {"name": "zip", "type": "string", "maxLength": 5}]},
        {"name": "visits", "type": "int64", "derivation": "visitors.@count"},
        {"name": "color", "type": "transformable", "transformer": "ColorTransformer"},
        {"name": "photo", "type": "binary", "externalStorage": true}],
       "relationships": [{"name": "visitors", "destination": "Guest", "inverse": "places", "toMany": true}],
       "fetchedProperties": [{"name": "namesakes", "entity": "Place", "predicate": "name == $FETCH_SOURCE.name",
                              "sort": ["-name"], "limit": 3}],
       "indexes": [{"name": "byCity", "elements": [{"property": "address.city"}, {"property": "name", "order": "descending"}],
                    "where": "name != nil"}],
       "uniquenessConstraints": [["name"]]},
      {"name": "Guest", "relationships": [{"name": "places", "destination": "Place", "inverse": "visitors", "toMany": true}]}],
     "fetchRequests": [{"name": "busy", "entity": "Place", "predicate": "visits > $N", "sort": ["-visits"], "limit": 10}],
     "configurations": [{"name": "all", "entities": ["Thing", "Place", "Guest"]}]}
    """

  @Test("MDL-363: everything that a model has is visible")
  func everything() throws {
    let tool = try CommandLineTool()
    try tool.write(Self.rich, to: "rich.json")
    let outcome = try tool.run("model", "show", "rich.json")
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        model Rich v3
          user info {"team":"data"}
          1 localized text

        Thing  (abstract)
          class RichThing
          user info {"note":[1,"x"]}
          name  string, required, valid if SELF != '', was title
          Place < Thing
            address    composite
              city  string
              zip   string, max length 5
            visits     int64, derived visitors.@count
            color      transformable, transformer ColorTransformer
            photo      binary, external storage
            visitors   →→ Guest, inverse places, nullify
            namesakes  fetched Place where name == $FETCH_SOURCE.name, sorted by -name, at most 3
            unique: name
            index: byCity (address.city, name descending) where name != nil

        Guest
          places  →→ Place, inverse visitors, nullify

        fetch requests
          busy: Place where visits > $N, sorted by -visits, at most 10

        configurations
          all: Thing, Place, Guest

        """)
  }

  @Test("MDL-363: --tree prints the inheritance, of one entity with its ancestors and what is below it")
  func tree() throws {
    let tool = try CommandLineTool()
    try tool.write(Self.rich, to: "rich.json")
    #expect(
      try tool.run("model", "show", "rich.json", "--tree").output == "Thing  (abstract)\n  Place\nGuest\n")
    #expect(
      try tool.run("model", "show", "rich.json", "--tree", "--entity", "Place").output
        == "Thing  (abstract)\n  Place\n")
    #expect(try tool.run("model", "show", "rich.json", "--tree", "--json").code == 64)
  }

  @Test("MDL-363: --entity shows inherited properties and constraints too")
  func entity() throws {
    let tool = try CommandLineTool()
    try tool.write(Self.rich, to: "rich.json")
    let output = try tool.run("model", "show", "rich.json", "--entity", "Place").output
    #expect(output.hasPrefix("Place < Thing\n  name       string, required"))
    #expect(output.contains("\n  unique: name\n"))
  }
}
