import GraphStore

extension DiagnosticMapper {
  /// The exit code of an error that has nothing but its code.
  package static func usualExitCode(of code: GraphStoreError.Code) -> ExitCode {
    exitCode(of: GraphStoreError(code, "", remedy: ""))
  }

  /// The exit code that an error of the library ends a command with.
  static func exitCode(of error: GraphStoreError) -> ExitCode {
    switch error.code {
    case .storeNotFound, .objectNotFound, .inaccessibleObject, .noStore, .noModel,
      .externalDataMissing:
      .noInput
    case .migrationDestination where error.isFailureOfDisk: .ioError
    case .storeExists, .migrationDestination: .cannotCreate
    case .sourceModelMissing: .noInput
    case .migrationConstraint, .migrationPolicy: .dataError
    // A value, link or object that a mapping may not give.
    case .migrationFailed where error.property != nil || !error.errors.isEmpty: .dataError
    case .migrationFailed, .migrationSource: .ioError
    case .storeInUse: .temporaryFailure
    case .lossyMigration: .notConfirmed
    case .mappingMissing, .notInferable, .migrationBackward, .migrationVersion, .modelReference:
      .configuration
    case .migrationCancelled: (error.underlying as? TerminationSignal)?.exitCode ?? .interrupted
    case .notAStore, .valueTooLarge, .valueType, .wrongDestination, .notUnique, .valueOutOfRange, .validation,
      .constraintConflict, .noStoreForObject, .unresolvedLink, .wrongCardinality, .temporaryIDUnknown,
      .temporaryID,
      .indexOutOfRange, .modelTooWide, .crossStoreRelationship, .storeTypeMismatch, .transformerMissing,
      .transformFailed, .unknownRawValue, .changesDoNotSettle,
      .historyExpired:
      .dataError
    case .storeOpen where error.isOfNewerFormat: .configuration
    case .storeCorrupt, .storeReplaced, .storeOpen, .sqlite, .storeSaveFailed, .storeOperationFailed,
      .diskFull, .incompleteSave, .commitUnknown:
      .ioError
    case .storePermission, .readOnlyStore: .noPermission
    case .storeTimeout: .temporaryFailure
    case .incompatibleModel, .storeTypeUnknown: .configuration
    case .deleteDenied, .mergeConflict, .fileChanged: .refused
    case .cancelled: .interrupted
    case .multipleValidationErrors: .dataError
    case .unknownConfiguration, .unknownEntity, .unknownKey, .abstractEntity, .metadataReserved,
      .metadataInvalid, .invalidRequest, .invalidProperty, .duplicateResultName, .groupByRequired,
      .groupByNeedsDictionaries, .invalidHaving, .resultTypeMismatch, .notSupported, .requestUnsupported,
      .unsupportedInFetch,
      .unsupportedSort,
      .transientInFetch, .typeMismatch, .toManyPath, .unsupportedInStore, .wrongPropertyKind,
      .readOnlyProperty, .foreignObjectID, .storeAlreadyOpen, .unknownStore, .storeOption,
      .historyIsTracked, .historyNotTracked:
      .usage
    case .internalInconsistency, .inconsistentContext: .internalError
    case .application, .storeReassignment, .classNotFound, .classMismatch, .objectInvalidated,
      .contextMismatch,
      .cannotRefreshInserted, .objectNotInserted, .recursiveValidation, .wrongQueue,
      .fetchWithoutEntity, .recursiveSave, .contextBusy, .objectDetached, .copyWouldMove, .copyTooLarge,
      .transformerNotReversible, .undoGrouping, .undoManagerInUse, .toManyInDependentKey,
      .changeProcessingDisabled, .queryGenerationUnavailable, .queryGenerationOnChild, .storeForked,
      .controllerNeedsSort, .sectionsNotContiguous, .invalidIndex:
      .failure
    }
  }
}

extension GraphStoreError {
  /// Whether the disk underneath is full or failed.
  fileprivate var isFailureOfDisk: Bool {
    guard let cause = underlying as? GraphStoreError else { return false }
    return [.diskFull, .storeSaveFailed, .sqlite].contains(cause.code)
  }
}
