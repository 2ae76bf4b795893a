import Foundation
import GraphStorePredicates

/// Field visitor that makes values of what it is shown.
struct ValueCollector: FieldVisitor {
  private let scope: StoreIdentity
  private(set) var value = Value.null
  /// The lists that are open, outermost first.
  private var lists: [[Value]] = []

  /// - Parameter scope: The store whose records are referred to.
  init(_ scope: StoreIdentity) { self.scope = scope }

  /// The value of a field.
  mutating func value(of row: some ResultRow, _ field: Int) -> Value {
    value = .null
    row.visit(field, &self)
    return value
  }

  private mutating func add(_ added: Value) {
    if lists.isEmpty { value = added } else { lists[lists.count - 1].append(added) }
  }

  mutating func null() { add(.null) }
  mutating func boolean(_ value: Bool) { add(.bool(value)) }
  mutating func integer(_ value: Int64) { add(.int(value)) }
  mutating func double(_ value: Double, isSingle: Bool) { add(.double(value)) }
  mutating func decimal(_ value: Decimal) { add(.decimal(value)) }
  mutating func decimal(whole: Int64) { add(.decimal(Decimal(whole))) }
  mutating func decimal(double: Double) { add(.decimal(Decimal(shortestTextOf: double))) }

  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    unsafe add(.string(String(decoding: utf8, as: UTF8.self)))
  }

  mutating func date(_ seconds: Double) { add(.date(Date(timeIntervalSinceReferenceDate: seconds))) }

  mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe add(.uuid(UUID(bytes: bytes))) }

  mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) {
    let text = unsafe String(decoding: utf8, as: UTF8.self)
    add(URL(string: text).map(Value.uri) ?? .string(text))
  }

  mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe add(.data(Data(bytes))) }

  mutating func reference(_ entityName: String, _ key: Int64) {
    guard let entity = scope.model.entitiesByName[entityName] else { return add(.null) }
    reference(ManagedObjectID(scope: scope, entityIndex: entity.index, key: key))
  }

  mutating func reference(_ id: ManagedObjectID) { add(.object(ObjectReference(id))) }
  mutating func beginList() { lists.append([]) }
  mutating func endList() { if let members = lists.popLast() { add(.list(members)) } }
}
