/// The place of a record, or of a new object, by its entity tree.
struct RecordKey: Hashable {
  let root: Int
  let key: Int64
}

extension RecordKey {
  init(_ object: ManagedObject) { self.init(root: object.layout.rootIndex, key: object.key) }
}
