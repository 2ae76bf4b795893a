import Foundation
import GraphStoreModel

/// Attributes with external storage, whose values begin with a byte that says where they are stored: hashes
/// do not cover them, and by a model that says otherwise every value would be misread (MIG-012).
extension StoredEntities {
  /// Their key paths, each behind its entity's name.
  package var externalAttributes: Set<String> {
    var paths: Set<String> = []
    for entity in entities {
      for attribute in entity.attributes where !attribute.isTransient {
        paths.formUnion(attribute.externalKeyPaths.map { "\(entity.name).\($0)" })
      }
    }
    return paths
  }

  /// The attributes that entities with the same hashes store in another way, in the order of their names.
  package func attributesStoredOtherwise(than others: Set<String>?) -> [String] {
    others.map { externalAttributes.symmetricDifference($0).sorted() } ?? []
  }
}

extension AttributeDescription {
  /// The key paths of what has external storage: the name, or of a composite attribute those of its elements.
  fileprivate var externalKeyPaths: [String] {
    if allowsExternalStorage { return [name] }
    return elements.flatMap { element in element.externalKeyPaths.map { "\(name).\($0)" } }
  }
}

extension StoreMetadata {
  /// Those of a store of ours, by the model that it carries, which another one replaces only where it agrees;
  /// nil for a store that carries none.
  package var externalAttributes: Set<String>? {
    guard hasExternalPrefixes, let modelText else { return nil }
    guard carriesExternalStorage else { return [] }
    guard let model = try? ManagedObjectModel(storedJSON: modelText),
      let stored = try? StoredEntities(model, configuration: configuration)
    else { return nil }
    return stored.narrowed(by: self).externalAttributes
  }

  /// The attributes that the store holds in another way than entities with the same hashes ask for.
  package func attributesStoredOtherwise(than given: StoredEntities) -> [String] {
    // Few models have such attributes, and of the model that is carried nothing need be read.
    guard carriesExternalStorage || !given.externalAttributes.isEmpty, isOther(given) else { return [] }
    return given.attributesStoredOtherwise(than: externalAttributes)
  }

  /// Whether the model that is carried may have such attributes: reading it takes longer than opening a
  /// store.
  private var carriesExternalStorage: Bool {
    unsafe modelText?.withCString { unsafe strstr($0, "externalStorage") != nil } ?? false
  }
}
