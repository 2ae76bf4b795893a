/// One record of a result that is read field by field, without an object being made.
///
/// It is good until the next record is handed over.
public protocol FieldRow: ResultRow {
  /// Name of the record's own entity.
  var entityName: String { get }
  /// The record's key; negative for an unsaved object.
  var key: Int64 { get }
  /// The record's identifier.
  var objectID: ManagedObjectID { get }
}
