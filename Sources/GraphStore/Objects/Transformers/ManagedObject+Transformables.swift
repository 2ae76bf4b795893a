import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Transformable and undefined attributes: values of any Swift type, kept beside the row.
extension ManagedObject {
  /// The decoded value of a transformable attribute; the reverse step runs at the first read of a realisation
  /// (OBJ-272).
  ///
  /// - Throws: `transformer-missing`, `transform-failed`; the stored bytes stay.
  final func transformed(_ property: PropertyLayout) throws -> Any? {
    try realize()
    guard let row = currentRow else { return nil }
    return try transformed(property, in: row)
  }

  /// Reads the value from a row of the object; values of the current row are kept.
  final func transformed(_ property: PropertyLayout, in row: Row) throws -> Any? {
    let isCurrent = row.block === block && row.index == Int(rowIndex)
    if isCurrent, let known = extra?.decoded[property.number] { return known }
    guard !row.block.isNull(row.index, property.slot) else { return nil }
    let value = try unsafe decoded(Data(row.block.bytes(row.index, property.slot)), property)
    if isCurrent { ensureExtra().decoded[property.number] = value }
    return value
  }

  /// The value of stored bytes.
  final func decoded(_ data: Data, _ property: PropertyLayout) throws -> Any {
    let transformer = try transformer(of: property)
    do {
      guard let found = try transformer.reverse?(data) else { throw UntransformedData() }
      return found
    } catch {
      throw transformFailed(property, "its \(data.count) bytes give no value: \(reason(error))", error)
    }
  }

  /// Sets a transformable attribute to a value of its transformer's type; the forward step runs now.
  ///
  /// - Throws: `transformer-missing`; `value-type` for a value of another type, or one that the default
  ///   archive does not take.
  final func setTransformed(_ value: Any?, of property: PropertyLayout, isTracked: Bool) throws {
    guard let value else { return try setBytes(nil, decoded: nil, property, isTracked: isTracked) }
    let transformer = try transformer(of: property, for: value)
    do {
      guard let data = try transformer.forward(value) else { throw UntransformedData() }
      try setBytes(data, decoded: value, property, isTracked: isTracked)
    } catch let error as GraphStoreError {
      throw error
    } catch let failure as ValueArchive.Failure {
      throw wrongType(property, value, "what the default archive takes (\(failure.message))")
    } catch {
      // Reported by the save, which writes nothing then (OBJ-273).
      try setBytes(nil, decoded: value, property, isTracked: isTracked)
      ensureExtra().untransformed[property.number] = reason(error)
      // A save that is at its hooks looks once more.
      context?.countSetter()
    }
  }

  /// Throws what setting a value would throw.
  final func checkTransformable(_ value: Any?, _ property: PropertyLayout) throws {
    guard let value else { return }
    let transformer = try transformer(of: property, for: value)
    do { if transformer.isArchive { _ = try transformer.forward(value) } } catch {
      throw wrongType(property, value, "what the default archive takes (\(reason(error)))")
    }
  }

  /// The bytes of a value of an element of a composite attribute.
  ///
  /// - Throws: `transformer-missing`, `value-type`, `transform-failed`.
  final func bytes(of value: Any, _ element: PropertyLayout) throws -> Value {
    let transformer = try transformer(of: element, for: value)
    do {
      guard let data = try transformer.forward(value) else { throw UntransformedData() }
      return .data(data)
    } catch let failure as ValueArchive.Failure {
      throw wrongType(element, value, "what the default archive takes (\(failure.message))")
    } catch {
      throw transformFailed(element, "its value gives no bytes: \(reason(error))", error)
    }
  }

  private func setBytes(_ data: Data?, decoded: Any?, _ property: PropertyLayout, isTracked: Bool) throws {
    let value = data.map(Value.data) ?? .null
    try reportingChanges {
      if isTracked { try setAttribute(property, to: value) } else { try setPrimitive(value, property) }
      guard decoded != nil || extra != nil else { return }
      let extra = ensureExtra()
      extra.decoded[property.number] = decoded
      extra.untransformed[property.number] = nil
    }
  }

  // MARK: Undefined attributes

  /// The value of an undefined attribute, as it was set.
  final func undefinedValue(_ property: PropertyLayout) throws -> Any? {
    try realize()
    return extra?.decoded[property.number]
  }

  /// Sets an undefined attribute to a value of any type, which counts as a change of the object (OBJ-260).
  final func setUndefined(_ value: Any?, of property: PropertyLayout) throws {
    try reportingChanges {
      try prepareChange(of: property)
      guard value != nil || extra != nil else { return }
      ensureExtra().decoded[property.number] = value
    }
  }

  // MARK: Failures

  /// The failures of values whose transformers yielded nothing.
  final func untransformedFailures() -> [GraphStoreError] {
    guard let extra, !extra.untransformed.isEmpty else { return [] }
    return extra.untransformed.sorted { $0.key < $1.key }.map { number, reason in
      var error = transformFailed(layout.properties[number], "its value gives no bytes: \(reason)", nil)
      error.number = 1550
      return error
    }
  }

  private func transformer(of property: PropertyLayout) throws -> AttributeTransformer {
    let name = property.attribute?.transformerName
    if let found = AttributeTransformer.named(name) { return found }
    throw GraphStoreError(
      .transformerMissing,
      "\(entity.name).\(property.name) needs the transformer \(name ?? ""), which is not registered.",
      remedy: "Call AttributeTransformer.register before values are read; the stored bytes stay as they are.",
      entity: entity.name, property: property.name, objectID: objectID)
  }

  /// The transformer of an attribute that is to take a value.
  private func transformer(of property: PropertyLayout, for value: Any) throws -> AttributeTransformer {
    let transformer = try transformer(of: property)
    guard transformer.accepts(value) else { throw wrongType(property, value, "\(transformer.valueType)") }
    return transformer
  }

  private func transformFailed(
    _ property: PropertyLayout, _ what: String, _ underlying: (any Error)?
  ) -> GraphStoreError {
    let name = property.attribute?.transformerName ?? AttributeTransformer.archive.name
    return GraphStoreError(
      .transformFailed,
      "The transformer \(name) failed for \(entity.name).\(property.name) of \(objectID.shortForm): \(what).",
      remedy: "Set another value, or mend the transformer; what is stored stays.", entity: entity.name,
      property: property.name, objectID: objectID, underlying: underlying)
  }

  private func wrongType(_ property: PropertyLayout, _ value: Any, _ wanted: String) -> GraphStoreError {
    GraphStoreError(
      .valueType, "\(entity.name).\(property.name) holds \(wanted), not a value of type \(type(of: value)).",
      remedy: "Convert the value before it is set.", entity: entity.name, property: property.name,
      objectID: objectID)
  }

  private func reason(_ error: any Error) -> String {
    switch error {
    case is UntransformedData: "the step yields nothing"
    case let failure as ValueArchive.Failure: failure.message
    default: "\(error)"
    }
  }

  /// A step that yields nothing.
  private struct UntransformedData: Error {}
}
