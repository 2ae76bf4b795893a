import Foundation
import GraphStoreModel

/// Cause of an error: a later version of the library has written the store.
package struct NewerStoreFormat: Error, CustomStringConvertible {
  package var description: String { "a later version of the library has written it" }

  package init() {}
}

extension GraphStoreError {
  /// Whether the store has a form that only a later version of the library knows.
  package var isOfNewerFormat: Bool { underlying is NewerStoreFormat }

  /// The error that a store writes the values of attributes in another way than a model with the same hashes.
  package static func otherForm(of attributes: [String], path: String) -> GraphStoreError {
    let names = attributes.joined(separator: ", ")
    return GraphStoreError(
      .incompatibleModel,
      "The model used to open the store is incompatible with the one used to create \(path): "
        + "externalStorage of \(names) is another, and with it how the values are written.",
      remedy: "Migrate it to this model, or open it with the model that it carries.")
  }

  /// The error that a store of a type that a program has written, and that the library does not migrate, was
  /// made with another model than the one passed.
  package static func incompatibility(
    _ metadata: StoreMetadata, given: StoredEntities, place: String, of type: StoreType
  ) -> GraphStoreError {
    var error = incompatibility(metadata, given: given, path: place)
    error.remedy =
      "Stores of type \(type) are not migrated: open it with the model that it carries, or write its objects into a "
      + "store of the library's own, and migrate that."
    return error
  }

  /// The error that a store of ours was made with another model than the one passed.
  package static func incompatibility(
    _ metadata: StoreMetadata, given: StoredEntities, path: String
  ) -> GraphStoreError {
    if metadata.versionHashes == given.versionHashes {
      return otherForm(of: metadata.attributesStoredOtherwise(than: given), path: path)
    }
    let difference = ModelDifferenceText(
      stored: metadata.versionHashes,
      carried: metadata.modelText.flatMap { try? ManagedObjectModel(storedJSON: $0) },
      given: given)
    var error = GraphStoreError(
      .incompatibleModel,
      "The model used to open the store is incompatible with the one used to create \(path): "
        + "\(difference.summary).",
      remedy:
        "Migrate it to this model, or open it with the model that it carries.")
    error.details = difference.details
    if let configuration = metadata.configuration, configuration != given.configuration {
      error.details.append("the store holds the entities of the configuration \(configuration)")
      error.remedy = "Open it with the configuration \(configuration), or with the model that it carries."
    }
    return error
  }
}
