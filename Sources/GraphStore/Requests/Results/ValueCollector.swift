import Foundation
import GraphStorePredicates

/// Field visitor that makes values of what it is shown.
package struct ValueCollector: FieldVisitor {
  private let scope: StoreIdentity
  package private(set) var value = Value.null
  /// The lists that are open, outermost first.
  private var lists: [[Value]] = []

  /// - Parameter scope: The store whose records are referred to.
  package init(_ scope: StoreIdentity) { self.scope = scope }

  /// The value of a field.
  package mutating func value(of row: some ResultRow, _ field: Int) -> Value {
    value = .null
    row.visit(field, &self)
    return value
  }

  private mutating func add(_ added: Value) {
    if lists.isEmpty { value = added } else { lists[lists.count - 1].append(added) }
  }

  package mutating func null() { add(.null) }
  package mutating func boolean(_ value: Bool) { add(.bool(value)) }
  package mutating func integer(_ value: Int64) { add(.int(value)) }
  package mutating func double(_ value: Double, isSingle: Bool) { add(.double(value)) }
  package mutating func decimal(_ value: Decimal) { add(.decimal(value)) }
  package mutating func decimal(whole: Int64) { add(.decimal(Decimal(whole))) }
  package mutating func decimal(double: Double) { add(.decimal(Decimal(shortestTextOf: double))) }

  package mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    unsafe add(.string(String(decoding: utf8, as: UTF8.self)))
  }

  package mutating func date(_ seconds: Double) { add(.date(Date(timeIntervalSinceReferenceDate: seconds))) }

  package mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe add(.uuid(UUID(bytes: bytes))) }

  package mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) {
    let text = unsafe String(decoding: utf8, as: UTF8.self)
    add(URL(string: text).map(Value.uri) ?? .string(text))
  }

  package mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe add(.data(Data(bytes))) }

  package mutating func reference(_ entityName: String, _ key: Int64) {
    guard let entity = scope.model.entitiesByName[entityName] else { return add(.null) }
    reference(ManagedObjectID(scope: scope, entityIndex: entity.index, key: key))
  }

  package mutating func reference(_ id: ManagedObjectID) { add(.object(ObjectReference(id))) }
  package mutating func beginList() { lists.append([]) }
  package mutating func endList() { if let members = lists.popLast() { add(.list(members)) } }
}
