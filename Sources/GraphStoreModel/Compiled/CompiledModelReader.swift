/// Reads compiled models: keyed archives of a model, as Apple's tools write them into `.mom` files and their
/// framework into its stores.
///
/// An archive keeps entities, properties, configurations and fetch requests in dictionaries, which have no
/// order; here they are ordered by the bytes of their names, which is also the order that Xcode writes them
/// in. Lists keep theirs.
struct CompiledModelReader {
  let archive: KeyedArchive
  let predicates: ArchivedPredicateReader
  var findings = CompiledModelFindings()

  private init(_ archive: KeyedArchive) {
    self.archive = archive
    predicates = ArchivedPredicateReader(archive: archive)
  }

  /// Reads a binary property list that holds the archive of a model.
  ///
  /// - Parameter file: The file it was read from, for errors.
  /// - Throws: `model-syntax` for bytes that are no archive, a damaged one, or that of something else.
  static func read(_ plist: [UInt8], file: String?) throws(ModelError) -> ForeignModel {
    do throws(KeyedArchiveError) {
      var reader = Self(try KeyedArchive(plist))
      return CompiledModelRepair.repaired(try reader.readModel())
    } catch {
      throw ModelError(
        [
          ModelProblem(
            .syntax, at: ModelPath(), message: "The compiled model cannot be read. \(error.message)",
            remedy: "Compile the model again, or give its source, a .xcdatamodeld folder.")
        ], file: file)
    }
  }

  private static let keys: Set = [
    "NSEntities", "NSFetchRequestTemplates", "NSConfigurations", "NSVersionIdentifiers",
    // The Xcode that has compiled it.
    "CDMCompilerToolVersion", "CDMCompilerXcodeVersion",
  ]

  private mutating func readModel() throws(KeyedArchiveError) -> ForeignModel {
    guard case .object(let root) = try archive.root else { throw .damaged("It holds no object.") }
    guard root.isKind(of: "NSManagedObjectModel") else {
      throw .damaged("It is the archive of \(root.className.prefix(80)), not of a model.")
    }
    let place = Place(path: ModelPath(), name: "the model")
    findings.addUnknownKeys(of: root, besides: Self.keys, place)
    var definition = ModelDefinition()
    definition.version = try version(root.fields["NSVersionIdentifiers"])
    let entities = try archivedEntities(root.fields["NSEntities"], place)
    for entity in entities { definition.entities.append(try self.entity(entity, among: entities)) }
    definition.fetchRequests = try fetchRequests(root.fields["NSFetchRequestTemplates"])
    definition.configurations = try configurations(root.fields["NSConfigurations"])
    return ForeignModel(definition: definition, findings: findings.all)
  }

  private func version(_ node: PropertyListNode?) throws(KeyedArchiveError) -> String? {
    guard case .list(let nodes) = try archive.value(at: node) else { return nil }
    var identifiers: [String] = []
    for node in nodes {
      if let text = try text(node), !text.isEmpty { identifiers.append(text) }
    }
    return identifiers.isEmpty
      ? nil : identifiers.sorted(by: VersionHash.precedes).joined(separator: ", ")
  }

  private mutating func configurations(
    _ node: PropertyListNode?
  ) throws(KeyedArchiveError) -> [ConfigurationDefinition] {
    var configurations: [ConfigurationDefinition] = []
    for (name, node) in try members(node) where name != "PF_DEFAULT_CONFIGURATION_NAME" {
      var names: [String] = []
      switch try archive.value(at: node) {
      case .list(let nodes):
        for node in nodes { if let name = try entityName(node) { names.append(name) } }
      case .dictionary: names = try members(node).map(\.name)
      default: break
      }
      configurations.append(
        ConfigurationDefinition(name, entities: names.sorted(by: VersionHash.precedes)))
    }
    return configurations
  }
}

extension CompiledModelReader {
  typealias Place = CompiledModelFindings.Place

  // MARK: Fields

  /// The text at a node; nil where there is something else or nothing.
  func text(_ node: PropertyListNode?) throws(KeyedArchiveError) -> String? {
    if case .value(.string(let text)) = try archive.value(at: node) { text } else { nil }
  }

  /// The text at a node; nil also where it is empty.
  func filledText(_ node: PropertyListNode?) throws(KeyedArchiveError) -> String? {
    let text = try text(node)
    return text?.isEmpty == false ? text : nil
  }

  /// The whole number at a node; 0 where there is none, as keyed archives have it.
  func integer(_ node: PropertyListNode?) throws(KeyedArchiveError) -> Int { try predicates.integer(node) }

  /// The truth value at a node; false where there is none.
  func flag(_ node: PropertyListNode?) throws(KeyedArchiveError) -> Bool { try integer(node) != 0 }

  /// The members of a dictionary with names, by the bytes of their names; of a name used twice the first.
  func members(
    _ node: PropertyListNode?
  ) throws(KeyedArchiveError) -> [(name: String, node: PropertyListNode)] {
    guard case .dictionary(let pairs) = try archive.value(at: node) else { return [] }
    var members: [(name: String, node: PropertyListNode)] = []
    var names: Set<String> = []
    for pair in pairs {
      if let name = try text(pair.key), names.insert(name).inserted { members.append((name, pair.value)) }
    }
    return members.sorted { VersionHash.precedes($0.name, $1.name) }
  }

  /// The texts of a list; objects represent their names.
  func names(_ node: PropertyListNode?) throws(KeyedArchiveError) -> [String] {
    guard case .list(let nodes) = try archive.value(at: node) else { return [] }
    var names: [String] = []
    for node in nodes {
      switch try archive.value(at: node) {
      case .value(.string(let text)): names.append(text)
      case .object(let object):
        if let name = try text(object.fields["NSPropertyName"]) { names.append(name) }
      default: break
      }
    }
    return names
  }

  /// The name of the entity at the first of some nodes that hold an entity or its name.
  func entityName(_ nodes: PropertyListNode?...) throws(KeyedArchiveError) -> String? {
    for node in nodes {
      var name: String?
      switch try archive.value(at: node) {
      case .value(.string(let text)): name = text
      case .object(let object): name = try text(object.fields["NSEntityName"])
      default: break
      }
      if let name, !name.isEmpty { return name }
    }
    return nil
  }

  /// The result, or nothing and a finding where a part has a meaning that is not known here.
  mutating func known<Result>(
    _ what: String, at place: Place, _ read: () throws(KeyedArchiveError) -> Result?
  ) throws(KeyedArchiveError) -> Result? {
    do throws(KeyedArchiveError) {
      return try read()
    } catch {
      guard error.extent == .part else { throw error }
      findings.add(error, place, dropping: what)
      return nil
    }
  }
}
