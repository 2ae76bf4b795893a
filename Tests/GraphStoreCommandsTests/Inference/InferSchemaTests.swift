import Foundation
import Testing

/// Models of JSON schemas.
@Suite("graphstore model infer, of schemas")
struct InferSchemaTests {
  /// A schema and the model that it makes.
  struct Sample: CustomTestStringConvertible {
    var title: String
    var text: String
    var lines: [String]
    var testDescription: String { title }

    init(_ title: String, _ text: String, _ lines: [String]) {
      (self.title, self.text, self.lines) = (title, text, lines)
    }
  }

  static let samples: [Sample] = [
    Sample(
      "types and formats",
      """
      {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Person", "type": "object",
       "required": ["id", "name"], "properties": {
         "id": {"type": "integer"}, "name": {"type": "string", "minLength": 1, "maxLength": 80},
         "n": {"type": "integer", "format": "int32"}, "x": {"type": "number"},
         "money": {"type": "number", "multipleOf": 0.01}, "ok": {"type": ["boolean", "null"]},
         "at": {"type": "string", "format": "date-time"}, "key": {"type": "string", "format": "uuid"},
         "url": {"type": "string", "format": "uri"}, "tags": {"type": "array", "items": {"type": "string"}},
         "kind": {"enum": ["a", "b"]}, "any": {}, "bytes": {"type": "string", "contentEncoding": "base64"},
         "address": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}
      """,
      [
        "Person.id int64", "Person.name string", "Person.n int32?", "Person.x double?",
        "Person.money decimal?",
        "Person.ok boolean?", "Person.at date?", "Person.key uuid?", "Person.url uri?",
        "Person.tags transformable?",
        "Person.kind string?", "Person.anyValue transformable?", "Person.bytes binary?",
        "Person.address composite(city string?)?", "Person unique id",
      ]),
    Sample(
      "references, lists of references, and their inverses",
      """
      {"$defs": {
        "Company": {"type": "object", "properties": {
          "name": {"type": "string"}, "employees": {"type": "array", "items": {"$ref": "#/$defs/Employee"}}}},
        "Employee": {"type": "object", "required": ["company"], "properties": {
          "company": {"$ref": "#/$defs/Company"}, "boss": {"anyOf": [{"$ref": "#/$defs/Employee"}, {"type": "null"}]},
          "mail": {"$ref": "#/$defs/Mail"}}},
        "Mail": {"type": "string", "pattern": "^[^@]+@[^@]+$"}}}
      """,
      [
        "Company.name string?", "Company.employees many Employee deny (company)", "Employee.mail string?",
        "Employee.company one Company mandatory (employees)", "Employee.boss one Employee (employeesAsBoss)",
        "Employee.employeesAsBoss many Employee (boss)",
      ]),
    Sample(
      "a kind of another, and objects that belong to their owner",
      """
      {"definitions": {
        "Thing": {"type": "object", "properties": {"name": {"type": "string"}}},
        "Book": {"allOf": [{"$ref": "#/definitions/Thing"}, {"required": ["pages"], "properties": {
          "pages": {"type": "array", "items": {"type": "object", "properties": {"text": {"type": "string"}}}}}}]}}}
      """,
      [
        "Thing.name string?", "Book.pages many Page cascade (book)", "Page.text string?",
        "Page.book one Book mandatory (pages)",
      ]),
    Sample(
      "a map of descriptions",
      """
      {"Author": {"properties": {"name": {"type": "string"}}, "required": ["name"]},
       "Book": {"properties": {"author": {"$ref": "Author"}, "id": {"type": "string"}}, "required": ["id", "author"]}}
      """,
      [
        "Author.name string", "Author.books many Book deny (author)", "Book.id string",
        "Book.author one Author mandatory (books)", "Book unique id",
      ]),
    Sample(
      "a reference to the schema itself",
      "{\"title\": \"node\", \"properties\": {\"next\": {\"$ref\": \"#\"}, \"class\": {\"type\": \"string\"}}}",
      ["Node.classValue string?", "Node.next one Node (nodesAsNext)", "Node.nodesAsNext many Node (next)"]),
  ]

  @Test("MDL-415: properties, references, lists and kinds", arguments: samples)
  func sample(_ sample: Sample) throws {
    let folder = try InferenceFolder(["thing.schema.json": sample.text])
    let (lines, told) = try folder.infer("thing.schema.json")
    #expect(lines == sample.lines, "\(told)")
    _ = try folder.makeStore("thing.schema.json")
  }

  @Test("MDL-415: schemas of several files refer to each other")
  func files() throws {
    let folder = try InferenceFolder([
      "person.schema.json": "{\"type\":\"object\",\"properties\":{\"org\":{\"$ref\":\"org.schema.json\"}}}",
      "org.schema.json": "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}",
    ])
    let lines = try folder.infer("person.schema.json", "org.schema.json").lines
    #expect(
      lines == ["Person.org one Org (people)", "Org.name string?", "Org.people many Person (org)"], "\(lines)"
    )
  }

  static let failures: [(String, Int32, String)] = [
    ("{\"properties\": {\"a\": {\"$ref\": \"#/$defs/Nothing\"}}}", 65, "leads to nothing"),
    ("{\"properties\": {\"a\": 5}}", 65, "a.json:1:22: error: the property \"a\" is described by no object"),
    (
      "{\"$schema\": \"http://json-schema.org/draft-07/schema\", \"type\": \"string\"}", 65,
      "describes no objects"
    ),
    ("{\"properties\": {\"a\": {\"$ref\": 5}}}", 65, "a $ref is no text"),
    ("{\"$defs\": {\"名\": {\"properties\": {\"a\": {}}}}}", 65, "has no letter"),
  ]

  @Test("MDL-411: what is wrong in a schema is told with its place", arguments: failures.indices)
  func failure(_ index: Int) throws {
    let (text, code, says) = Self.failures[index]
    let folder = try InferenceFolder(["a.json": text])
    let made = try folder.failure("a.json")
    #expect(
      made.code == code && made.errors.contains(says) && made.errors.contains("hint: "), "\(made.errors)")
  }

  @Test("MDL-415: a schema and records of one entity are refused")
  func clash() throws {
    let folder = try InferenceFolder([
      "person.schema.json": "{\"properties\":{\"a\":{\"type\":\"string\"}}}", "people.csv": "a\nx\n",
    ])
    #expect(try folder.failure("person.schema.json", "people.csv").code == 64)
  }
}
