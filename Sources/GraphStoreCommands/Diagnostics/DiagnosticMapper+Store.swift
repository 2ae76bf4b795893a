import GraphStore

extension DiagnosticMapper {
  static func diagnostic(_ error: GraphStoreError) -> Diagnostic {
    if !error.errors.isEmpty { return diagnostic(ofSeveral: error) }
    var result = Diagnostic(
      // A rule of the model may say in its own words what it demands.
      code: error.code.rawValue,
      message: error.code == .validation ? sentence(error.message) : clause(error.message),
      details: error.details,
      suggestions: error.suggestions, entity: error.entity, property: error.property,
      exitCode: exitCode(of: error))
    result.object = error.objectID.flatMap { $0.isTemporaryID ? nil : $0.shortForm }
    result.value = error.value
    result.number = error.number
    result.conflicts = error.conflicts
    result.cause = error.underlying.map { "\($0)" }
    if !error.remedy.isEmpty { result.hints = [hint(CommandRemedy.text(of: error))] }
    switch error.code {
    case .unknownEntity:
      result.message = "the model has no entity \"\(error.entity ?? "")\""
      result.hints = [error.remedy.replacing("The model has ", with: "Also known: ")].map(sentence)
    case .validation:
      result.message = placed(result.message, error)
      // What to do is in the message: the rule, and what it asks for.
      result.hints = []
    case .deleteDenied: result.hints = []
    default: break
    }
    return result
  }

  /// The message of a rule that a value breaks, behind the entity, the key and, where it is in the store, the object.
  private static func placed(_ message: String, _ error: GraphStoreError) -> String {
    guard let entity = error.entity, let property = error.property else { return message }
    let key = "\(entity).\(property)"
    let object = error.objectID.flatMap { $0.isTemporaryID ? nil : $0.shortForm }
    if let object, message.contains(object) { return message }
    let place = key + (object.map { " of \($0)" } ?? "")
    for said in ["\(key): ", "\(error.objectID?.entity.superentity?.name ?? "").\(property): "]
    where message.hasPrefix(said) {
      return place + ": " + message.dropFirst(said.count)
    }
    if message == "\(property) is a required property" {
      let isRelationship = error.objectID?.entity.property(named: property) is RelationshipDescription
      return place + ": \(isRelationship ? "an object" : "a value") is required"
    }
    return message.hasPrefix(key) ? message : "\(place): \(message)"
  }

  private static func diagnostic(ofSeveral error: GraphStoreError) -> Diagnostic {
    let parts = error.errors.map { diagnostic($0) }
    let isData = parts.contains { $0.exitCode == .dataError }
    var result = Diagnostic(
      code: error.code.rawValue, message: clause(error.message),
      details: parts.prefix(20).flatMap { ["\($0.message)   [\($0.code)]"] + $0.details.map { "  " + $0 } }
        + (parts.count > 20 ? ["… and \(parts.count - 20) more"] : []),
      hints: ["nothing was written"], entity: error.entity, exitCode: isData ? .dataError : .refused)
    result.errors = parts
    return result
  }

  static func exitCode(of error: GraphStoreError) -> ExitCode {
    switch error.code {
    case .storeNotFound, .objectNotFound, .inaccessibleObject, .noStore, .noModel: .noInput
    case .storeExists: .cannotCreate
    case .notAStore, .valueTooLarge, .valueType, .wrongDestination, .notUnique, .valueOutOfRange, .validation,
      .constraintConflict, .noStoreForObject, .unresolvedLink, .wrongCardinality, .temporaryIDUnknown,
      .indexOutOfRange, .modelTooWide, .storeTypeUnknown, .storeTypeMismatch:
      .dataError
    case .storeCorrupt, .storeReplaced, .storeOpen, .sqlite, .storeSaveFailed, .diskFull: .ioError
    case .storePermission, .readOnlyStore: .noPermission
    case .storeTimeout: .temporaryFailure
    case .incompatibleModel: .configuration
    case .deleteDenied, .mergeConflict: .refused
    case .multipleValidationErrors: .dataError
    case .unknownConfiguration, .unknownEntity, .unknownKey, .abstractEntity, .metadataReserved,
      .metadataInvalid, .invalidRequest, .notSupported, .unsupportedInFetch, .unsupportedSort,
      .transientInFetch, .typeMismatch, .toManyPath, .unsupportedInStore, .wrongPropertyKind,
      .readOnlyProperty, .foreignObjectID, .storeOption:
      .usage
    case .internalInconsistency, .inconsistentContext: .internalError
    default: .failure
    }
  }
}
