import Foundation
import GraphStorePredicates

extension ManagedObjectModel {
  /// Makes one model of several; they stay as they are.
  ///
  /// Entities of one name merge when their version hashes are equal; of what does not count for the hash, of
  /// localized texts and of user info the first model counts. Configurations of one name become the union of
  /// their entities, fetch requests of one name must be equal.
  ///
  /// - Throws: ``ModelError`` with a `model-merge-clash` for each name that two models define differently.
  public convenience init(merging models: [ManagedObjectModel]) throws(ModelError) {
    self.init(try MergedModel(models.map(ModelDocument.init(model:))))
  }

  /// Makes one model of those that several stores carry, as ``init(merging:)`` does, but of fetch requests of
  /// one name the first counts.
  ///
  /// - Throws: ``ModelError`` with a `model-merge-clash` for each entity that two models define differently.
  package convenience init(uniting models: [ManagedObjectModel]) throws(ModelError) {
    self.init(try MergedModel(models.map(ModelDocument.init(model:)).withDistinctFetchRequests))
  }

  /// Reads several files and makes one model of them; they may lead to each other's entities.
  ///
  /// In a directory of versions the current one is read. A single path loads as ``init(contentsOf:)`` does.
  ///
  /// - Throws: ``ModelError`` with every problem of every file, and the clashes, see ``init(merging:)``.
  public convenience init(mergingContentsOf paths: [String]) throws(ModelError) {
    if paths.count == 1 {
      try self.init(contentsOf: paths[0])
    } else {
      self.init(try MergedModel(try paths.mapToDocuments()))
    }
  }

  /// Merges all models in some directories: every `*.graphmodel` (its current version) and every `*.json`
  /// whose top object has `entities`, in order of path.
  ///
  /// Directories inside them are not searched. A `*.json` that is not such a model is passed over.
  ///
  /// - Throws: ``ModelError``: `model-not-found` with the directories when there is no model in them, else
  ///   see ``init(mergingContentsOf:)``.
  public static func mergedModel(from directories: [String]) throws(ModelError) -> ManagedObjectModel {
    var paths: [String] = []
    for directory in directories {
      for name in try ModelFile.names(in: directory) where !name.hasPrefix(".") {
        let path = ModelFile.path(name, in: directory)
        switch ModelFormat(endingOf: name) {
        case .versions where try ModelFile.kind(of: path) == .directory: paths.append(path)
        case .json where try isModel(path): paths.append(path)
        default: continue
        }
      }
    }
    guard !paths.isEmpty else { throw ModelFile.notFound(directories) }
    return try ManagedObjectModel(mergingContentsOf: paths.sorted(by: VersionHash.precedes))
  }

  /// Picks from models the versions of entities that a store was made with, and makes one model of them; nil
  /// when an entity of the store is in none of the models as the store has it.
  ///
  /// A model that fits the store as a whole is taken alone. Fetch requests, fetched properties and members of
  /// configurations that lead to entities that the store does not have are left out.
  ///
  /// - Parameters:
  ///   - models: The models, of which each entity is taken from the first that has it as the store does.
  ///   - metadata: A store's metadata; `NSStoreModelVersionHashes` counts.
  /// - Throws: ``ModelError`` when the entities that were picked do not fit together.
  public convenience init?(
    merging models: [ManagedObjectModel], forStoreMetadata metadata: [String: Value]
  ) throws(ModelError) {
    let hashes = StoreHashes(metadata)
    if let whole = models.first(where: { $0.entityVersionHashesByName == hashes.byEntity }) {
      self.init(try MergedModel([ModelDocument(model: whole)]))
      return
    }
    var picked: [String: Int] = [:]
    for (name, hash) in hashes.byEntity {
      guard let number = models.firstIndex(where: { $0.entitiesByName[name]?.versionHash == hash })
      else { return nil }
      picked[name] = number
    }
    let documents = models.enumerated().map { number, model in
      var document = ModelDocument(model: model)
      document.definition.keep(
        Set(picked.filter { $0.value == number }.keys), among: Set(picked.keys))
      return document
    }
    self.init(try MergedModel(documents.withDistinctFetchRequests))
  }

  convenience init(_ merged: MergedModel) {
    self.init(merged.validator, name: merged.name, texts: merged.texts)
  }

  private static func isModel(_ path: String) throws(ModelError) -> Bool {
    guard try ModelFile.kind(of: path) == .file else { return false }
    guard let root = try? JSONParser.parse(try ModelFile.read(path)), case .object(let members) = root.content
    else { return false }
    return members.contains { $0.key == "entities" }
  }
}

extension ModelDefinition {
  /// Keeps some entities, and of what leads to entities that which leads to `all`.
  fileprivate mutating func keep(_ names: Set<String>, among all: Set<String>) {
    entities.removeAll { !names.contains($0.name) }
    for index in entities.indices {
      entities[index].fetchedProperties.removeAll { !all.contains($0.entity) }
    }
    fetchRequests.removeAll { !names.contains($0.entity) }
    for index in configurations.indices {
      configurations[index].entities.removeAll { !names.contains($0) }
    }
    configurations.removeAll { $0.entities.isEmpty }
  }
}

extension [ModelDocument] {
  /// The definition with the first of the fetch requests of each name alone.
  fileprivate var withDistinctFetchRequests: Self {
    var names: Set<String> = []
    return map { document in
      var document = document
      document.definition.fetchRequests.removeAll { !names.insert($0.name).inserted }
      return document
    }
  }
}

extension [String] {
  func mapToDocuments() throws(ModelError) -> [ModelDocument] {
    var documents: [ModelDocument] = []
    for path in self { documents.append(try ModelDocument(contentsOf: path)) }
    return documents
  }
}
