import Foundation
import GraphStoreModel

/// What Core Data knows the entities of a store by.
extension StoredEntities {
  /// The hashes that the model's package lists for exactly these entities; nil where it lists none.
  var listedHashes: [String: Data]? {
    guard let listed = model.coreDataVersion?.hashes else { return nil }
    var hashes: [String: Data] = [:]
    for entity in entities {
      guard let hash = listed[entity.name] else { return nil }
      hashes[entity.name] = hash
    }
    return hashes
  }

  /// The listed hashes, where a new store of ours has the form of one that Core Data has made.
  var coreDataHashes: [String: Data]? { formOfItsOwn == nil ? listedHashes : nil }

  /// The hashes that a new store records.
  var hashesToRecord: [String: Data] { coreDataHashes ?? versionHashes }

  /// What a store of ours keeps in a form that is not Core Data's, or not known to be: `Order.total is derived`; nil for
  /// nothing.
  var formOfItsOwn: String? {
    for entity in entities {
      for attribute in entity.attributes where !attribute.isTransient {
        if attribute.type == .composite { return "\(entity.name).\(attribute.name) is composite" }
        if attribute.isDerived { return "\(entity.name).\(attribute.name) is derived" }
      }
      for index in entity.indexes where index.elements.contains(where: \.isOfItsOwn) {
        return "\(entity.name) has the index \(index.name) of an expression or of ranges"
      }
    }
    return nil
  }
}

extension IndexDescription.Element {
  fileprivate var isOfItsOwn: Bool {
    if case .property = subject { return kind == .rtree }
    return true
  }
}

extension ManagedObjectModel {
  /// What a store of the model keeps in a form that is not Core Data's, or not known to be; nil for nothing.
  package var formOfItsOwn: String? { StoredEntities(self).formOfItsOwn }
}
