import ArgumentParser
import GraphStore

/// `graphstore upsert ENTITY key=value...`
struct UpsertCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "upsert", abstract: "Change the object with the same key, or make it.",
    discussion: """
      The key is what --key names, else the uniqueness constraint of the entity whose values are all given. Values are \
      written as for insert.

      graphstore upsert Employee badge=12 name=Ada salary=73000
      graphstore upsert Department --key name name=Sales
      """)

  @Argument(help: "Entity.") var entity: String
  @Argument(parsing: .remaining, help: ArgumentHelp("Values, or - for records.", valueName: "key=value"))
  var values: [String] = []
  @Option(help: ArgumentHelp("Attributes that tell objects apart: name,city", valueName: "keys"))
  var key: String?
  @Option(
    name: .customLong("return"), parsing: .unconditional,
    help: ArgumentHelp("Print these of the object, not its id.", valueName: "key paths"))
  var fields: String?
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let writer = try ChangeWriter(session)
    let description = try session.entity(entity, .write)
    let keys = try key.map { try keyAttributes($0, description) }
    var objects: [ManagedObject] = []
    if values == ["-"] {
      try RecordStream(session).forEach(description) { draft in
        let object = try upsert(draft, keys, writer)
        objects.append(object)
        return object
      }
    } else {
      let changes = try ChangeReader(session).changes(values, description)
      objects = [try upsert(ObjectDraft(entity: description, changes: changes), keys, writer)]
    }
    if try session.finishChange(dryRun, "insert or update \(objects.count) \(entity)") {
      try session.printObjects(objects, fields: fields)
    }
    return .success
  }

  private func upsert(
    _ draft: ObjectDraft, _ keys: [AttributeDescription]?, _ writer: ChangeWriter
  ) throws -> ManagedObject {
    var given: [String: Value] = [:]
    for case .attribute(let attribute, let value) in draft.changes { given[attribute.name] = value }
    let keys = try keys ?? constraint(of: draft.entity, given)
    var parts: [QueryPredicate] = []
    for key in keys {
      guard let value = given[key.name], !value.isNull else {
        throw Diagnostic(
          code: "key-missing", message: "the key \(key.name) has no value", entity: draft.entity.name,
          key: key.name, exitCode: .dataError)
      }
      parts.append(
        .compare(QueryExpression.key(key.name), .equal, QueryExpression(.constant(value))))
    }
    let request = FetchRequest(
      entityName: draft.entity.name, predicate: parts.count == 1 ? parts[0] : .and(parts), fetchLimit: 2)
    let found = try writer.context.fetch(request)
    guard found.count < 2 else {
      throw Diagnostic(
        code: "not-unique", message: "several \(draft.entity.name) have this key",
        details: found.map(\.objectID.shortForm), entity: draft.entity.name, exitCode: .dataError)
    }
    guard let object = found.first else { return try writer.insert(draft) }
    try writer.apply(draft.changes, to: object)
    return object
  }

  private func keyAttributes(
    _ text: String, _ entity: EntityDescription
  ) throws -> [AttributeDescription] {
    try text.split(separator: ",").map { name in
      guard let attribute = try ChangeReader.property(String(name), entity) as? AttributeDescription else {
        throw Diagnostic(
          code: "wrong-property-kind", message: "\(entity.name).\(name) is no attribute and cannot be a key",
          entity: entity.name, key: String(name), exitCode: .usage)
      }
      return attribute
    }
  }

  private func constraint(
    of entity: EntityDescription, _ given: [String: Value]
  ) throws -> [AttributeDescription] {
    let constraints = entity.uniquenessConstraints
    if let constraint = constraints.first(where: { $0.allSatisfy { given[$0.name]?.isNull == false } }) {
      return constraint
    }
    let names = constraints.map { $0.map(\.name).joined(separator: ",") }
    throw Diagnostic(
      code: "key-missing", message: "no key tells which \(entity.name) is meant",
      hints: [
        names.isEmpty
          ? "\(entity.name) has no uniqueness constraint; name the key with --key"
          : "give a value for \(names.joined(separator: " or ")), or name the key with --key"
      ],
      entity: entity.name, exitCode: .usage)
  }
}
