extension GraphStoreError {
  /// The stable word for a kind of failure, in kebab case.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The file named as a store does not exist.
    case storeNotFound = "store-not-found"
    /// There is a file where a store was to be made.
    case storeExists = "store-exists"
    /// The file is no store.
    case notAStore = "not-a-store"
    /// The store is damaged.
    case storeCorrupt = "store-corrupt"
    /// The right to read or write a file is missing.
    case storePermission = "store-permission"
    /// A change was asked of a store opened for reading.
    case readOnlyStore = "read-only-store"
    /// Another process held the store longer than the timeout.
    case storeTimeout = "store-timeout"
    /// The store could not be opened for another reason.
    case storeOpen = "store-open"
    /// A statement failed for a reason of SQLite's own.
    case sqlite = "sqlite"
    /// The store could not write.
    case storeSaveFailed = "store-save-failed"
    /// The connection to a server was lost during a commit, and nobody knows whether the save is done.
    case commitUnknown = "commit-unknown"
    /// A store of a custom type could not answer a request.
    case storeOperationFailed = "store-operation-failed"
    /// The task that waited for a request was cancelled.
    case cancelled = "cancelled"
    /// No space is left.
    case diskFull = "disk-full"
    /// A type of store that is not registered.
    case storeTypeUnknown = "store-type-unknown"
    /// A file of another type than the one it was to be opened with.
    case storeTypeMismatch = "store-type-mismatch"
    /// An option that a store does not take, or not with that value.
    case storeOption = "store-option"
    /// Another program has changed the file of a store that is kept in memory.
    case fileChanged = "file-changed"
    /// The model differs from the one the store was made with.
    case incompatibleModel = "incompatible-model"
    /// A model with more properties than a table has columns.
    case modelTooWide = "model-too-wide"
    /// A request or save without any store.
    case noStore = "no-store"
    /// A store that the coordinator has mounted already.
    case storeAlreadyOpen = "store-already-open"
    /// A store that the coordinator does not have.
    case unknownStore = "unknown-store"
    /// A relationship between objects of two stores.
    case crossStoreRelationship = "cross-store-relationship"
    /// A saved object was to be assigned to another store.
    case storeReassignment = "store-reassignment"
    /// A save reached some of several stores.
    case incompleteSave = "incomplete-save"
    /// A context without a way to a model.
    case noModel = "no-model"
    /// A metadata key that the store keeps for itself.
    case metadataReserved = "metadata-reserved"
    /// A metadata value that cannot be kept.
    case metadataInvalid = "metadata-invalid"
    /// A configuration the model does not have.
    case unknownConfiguration = "unknown-configuration"
    /// An entity the model does not have.
    case unknownEntity = "unknown-entity"
    /// A property the entity does not have.
    case unknownKey = "unknown-key"
    /// An abstract entity was to be instantiated.
    case abstractEntity = "abstract-entity"
    /// The class that an entity names is required and not registered.
    case classNotFound = "class-not-found"
    /// A class does not fit the entity.
    case classMismatch = "class-mismatch"
    /// One object where a collection is needed, or the reverse.
    case wrongCardinality = "wrong-cardinality"
    /// A text or blob over the store's limit.
    case valueTooLarge = "value-too-large"
    /// A value of another type than the property's.
    case valueType = "value-type"
    /// An object of another entity than the destination.
    case wrongDestination = "wrong-destination"
    /// A single-object look-up found several.
    case notUnique = "not-unique"
    /// A number that does not fit its attribute.
    case valueOutOfRange = "value-out-of-range"
    /// The context of the object was reset, or its store removed.
    case objectInvalidated = "object-invalidated"
    /// A temporary identifier in a context that does not know it.
    case temporaryIDUnknown = "temporary-id-unknown"
    /// A temporary identifier where only one that lasts makes sense.
    case temporaryID = "temporary-id"
    /// Objects of two contexts were to be related.
    case contextMismatch = "context-mismatch"
    /// An inserted object was to be refreshed.
    case cannotRefreshInserted = "cannot-refresh-inserted"
    /// A relationship to an object that is in no context.
    case objectNotInserted = "object-not-inserted"
    /// A new object of an entity that no store holds.
    case noStoreForObject = "no-store-for-object"
    /// A result of another class than asked for.
    case resultTypeMismatch = "result-type-mismatch"
    /// An object with a temporary identifier among those to update or to delete.
    case inconsistentContext = "inconsistent-context"
    /// A construct no fetch can have.
    case unsupportedInFetch = "unsupported-in-fetch"
    /// A sort that no store knows.
    case unsupportedSort = "unsupported-sort"
    /// A transient or fetched property in a fetch.
    case transientInFetch = "transient-in-fetch"
    /// Two types that do not compare.
    case typeMismatch = "type-mismatch"
    /// A to-many path compared directly.
    case toManyPath = "to-many-path"
    /// Hooks or validators that change something in every round of a save.
    case changesDoNotSettle = "changes-do-not-settle"
    /// A property was to be validated from inside the validator of the same property and object.
    case recursiveValidation = "recursive-validation"
    /// A part that a store cannot run although the request refused evaluation in memory.
    case unsupportedInStore = "unsupported-in-store"
    /// A context or an object was used outside of the context's queue; the guard's message stops the program,
    /// no error is thrown.
    case wrongQueue = "wrong-queue"
    /// A state of the stores to which no context is pinned any more, or one more than may be kept.
    case queryGenerationUnavailable = "query-generation-unavailable"
    /// A child context was to be pinned.
    case queryGenerationOnChild = "query-generation-on-child"
    /// The file of an open store was removed or replaced.
    case storeReplaced = "store-replaced"
    /// A store that was open when the process was forked.
    case storeForked = "store-forked"
    /// A store that keeps a history, opened with the option to keep none.
    case historyIsTracked = "history-is-tracked"
    /// A request for a history, of stores that keep none.
    case historyNotTracked = "history-not-tracked"
    /// A place in a history after which something has been removed from it.
    case historyExpired = "history-expired"
    /// A part of the interface that is not built.
    case notSupported = "not-supported"
    /// A request that the type of the store does not know.
    case requestUnsupported = "request-unsupported"
    /// A request that contradicts itself, or is larger than the store takes.
    case invalidRequest = "invalid-request"
    /// A request that names no entity, and has no class that represents one.
    case fetchWithoutEntity = "fetch-without-entity"
    /// A property that dictionaries cannot hold, or an aggregate of values that it cannot aggregate.
    case invalidProperty = "invalid-property"
    /// Two results of one request with the same name.
    case duplicateResultName = "duplicate-result-name"
    /// A value of single rows beside groups or aggregates.
    case groupByRequired = "group-by-required"
    /// Groups were asked for with other results than dictionaries.
    case groupByNeedsDictionaries = "group-by-needs-dictionaries"
    /// A condition on groups that reads single rows.
    case invalidHaving = "invalid-having"
    /// A list of a controller without an order.
    case controllerNeedsSort = "controller-needs-sort"
    /// A section of a controller whose objects are no neighbours in its order.
    case sectionsNotContiguous = "sections-not-contiguous"
    /// An index path, or a number of a section, that a list does not have.
    case invalidIndex = "invalid-index"
    /// A save inside a save.
    case recursiveSave = "recursive-save"
    /// The context is saving or processing changes.
    case contextBusy = "context-busy"
    /// The object's deletion has been saved.
    case objectDetached = "object-detached"
    /// An identifier of another coordinator.
    case foreignObjectID = "foreign-object-id"
    /// A link that the input names and nothing answers to.
    case unresolvedLink = "unresolved-link"
    /// An index beyond the end of an ordered relationship.
    case indexOutOfRange = "index-out-of-range"
    /// A relationship's kind does not fit the call.
    case wrongPropertyKind = "wrong-property-kind"
    /// A property that cannot be set.
    case readOnlyProperty = "read-only-property"
    /// A copy would take destinations away from its original.
    case copyWouldMove = "copy-would-move"
    /// A copy has more objects than its rules allow.
    case copyTooLarge = "copy-too-large"
    /// The transformer that a transformable attribute names is not registered.
    case transformerMissing = "transformer-missing"
    /// A transformer made no bytes of a value, or no value of bytes.
    case transformFailed = "transform-failed"
    /// A transformer has no way back from bytes to values.
    case transformerNotReversible = "transformer-not-reversible"
    /// A stored raw value that the type of a typed key has no case for.
    case unknownRawValue = "unknown-raw-value"
    /// A group of changes was ended that was never begun, or is open where it must not be.
    case undoGrouping = "undo-grouping"
    /// The undo manager belongs to another context.
    case undoManagerInUse = "undo-manager-in-use"
    /// A key was said to depend on a path through a to-many relationship.
    case toManyInDependentKey = "to-many-in-dependent-key"
    /// A relationship was set while the object was awaking from a fetch.
    case changeProcessingDisabled = "change-processing-disabled"
    /// The file with the data of a binary attribute is missing or cannot be read.
    case externalDataMissing = "external-data-missing"
    /// A record that is not there, found by a look-up.
    case objectNotFound = "object-not-found"
    /// A record that is gone, found when its object was used.
    case inaccessibleObject = "inaccessible-object"
    /// A rule of the model that a value breaks; the number identifies the rule.
    case validation = "validation"
    /// Several failures.
    case multipleValidationErrors = "multiple-validation-errors"
    /// A delete rule that forbids.
    case deleteDenied = "delete-denied"
    /// Another writer changed the same record.
    case mergeConflict = "merge-conflict"
    /// Two objects with equal values in a uniqueness constraint.
    case constraintConflict = "constraint-conflict"
    /// A step of a migration failed for a reason that has no code of its own; the store is as it was.
    case migrationFailed = "migration-failed"
    /// Data that a migrated store may not have: the rule, how many objects break it, and the first of them.
    case migrationConstraint = "migration-constraint"
    /// A migration was cancelled.
    case migrationCancelled = "migration-cancelled"
    /// No known version of the model fits the store, and it carries none that can be read.
    case sourceModelMissing = "source-model-missing"
    /// No chain of written and inferred mappings leads to the wanted version.
    case mappingMissing = "mapping-missing"
    /// The store that is to be migrated cannot be opened.
    case migrationSource = "migration-source"
    /// The migrated store cannot be made or written.
    case migrationDestination = "migration-destination"
    /// A migration policy or an expression of a mapping failed.
    case migrationPolicy = "migration-policy"
    /// Two models between which no mapping can be inferred.
    case notInferable = "not-inferable"
    /// A staged migration names a model that is not there, or has another checksum.
    case modelReference = "model-reference"
    /// A store that a staged migration cannot assign to a stage.
    case migrationVersion = "migration-version"
    /// A migration that would go back to an earlier version.
    case migrationBackward = "migration-backward"
    /// A migration that would lose data, without consent.
    case lossyMigration = "lossy-migration"
    /// A store that this process has open where it must not be.
    case storeInUse = "store-in-use"
    /// A rule of the application's own; ``GraphStoreError/word`` says which.
    case application
    /// An inconsistency of the library's own.
    case internalInconsistency = "internal"
  }

  /// The pattern of errors of one code.
  public struct CodePattern: Sendable {
    fileprivate let code: Code
  }

  /// The pattern of errors of one code, for `catch`.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch GraphStoreError.code(.deleteDenied) {
  ///   context.rollback()
  /// }
  /// ```
  public static func code(_ code: Code) -> CodePattern { CodePattern(code: code) }
}

extension GraphStoreError.CodePattern {
  /// Whether an error is of the library and has the code of a pattern.
  public static func ~= (pattern: Self, error: any Error) -> Bool {
    (error as? GraphStoreError)?.code == pattern.code
  }
}

extension GraphStoreError.Code {
  /// The number under which the failure is known in Core Data, or one of the project's own.
  public var number: Int {
    switch self {
    case .storeNotFound: 260
    case .storeExists: 516
    case .notAStore: 134020
    case .storeCorrupt: 259
    case .storePermission: 513
    case .readOnlyStore, .storeSaveFailed: 134030
    case .storeTimeout: 134090
    case .storeOpen: 134080
    case .storeOperationFailed: 134070
    case .sqlite: 134180
    case .cancelled: 3072
    case .diskFull: 640
    case .storeTypeUnknown: 134000
    case .storeTypeMismatch: 134010
    case .storeOption: 136044
    case .fileChanged: 136042
    case .incompatibleModel: 134100
    case .modelTooWide: 136002
    case .noStore: 136005
    case .storeAlreadyOpen: 136006
    case .unknownStore: 136009
    case .crossStoreRelationship: 133010
    case .storeReassignment: 136023
    case .incompleteSave: 134040
    case .noModel: 136004
    case .metadataReserved: 136041
    case .metadataInvalid: 136045
    case .unknownConfiguration: 136008
    case .unknownEntity: 136010
    case .unknownKey: 136011
    case .abstractEntity: 136012
    case .classNotFound: 136013
    case .classMismatch: 136014
    case .wrongCardinality: 136015
    case .valueTooLarge: 136016
    case .valueType: 136017
    case .wrongDestination: 136018
    case .notUnique: 136019
    case .valueOutOfRange: 136020
    case .objectInvalidated: 136021
    case .temporaryIDUnknown, .temporaryID: 136022
    case .contextMismatch: 136024
    case .cannotRefreshInserted: 136025
    case .objectNotInserted: 136026
    case .noStoreForObject: 136027
    case .resultTypeMismatch: 136028
    case .inconsistentContext: 136029
    case .unsupportedInFetch: 136031
    case .unsupportedSort: 136032
    case .transientInFetch: 136034
    case .typeMismatch: 136036
    case .toManyPath: 136037
    case .changesDoNotSettle: 136040
    case .recursiveValidation: 136047
    case .unsupportedInStore: 136049
    case .wrongQueue: 136052
    case .storeReplaced: 136053
    case .storeForked: 136046
    case .historyIsTracked: 136056
    case .historyNotTracked: 136057
    case .historyExpired: 134301
    case .queryGenerationUnavailable: 136054
    case .queryGenerationOnChild: 136055
    case .notSupported: 136060
    case .requestUnsupported: 134091
    case .invalidRequest: 136071
    case .fetchWithoutEntity: 136090
    case .invalidProperty: 136091
    case .duplicateResultName: 136092
    case .groupByRequired: 136093
    case .groupByNeedsDictionaries: 136094
    case .invalidHaving: 136095
    case .controllerNeedsSort: 136039
    case .sectionsNotContiguous: 136051
    case .invalidIndex: 136058
    case .recursiveSave: 136072
    case .contextBusy: 136073
    case .objectDetached: 136074
    case .foreignObjectID: 136075
    case .unresolvedLink: 136076
    case .indexOutOfRange: 136077
    case .wrongPropertyKind: 136078
    case .readOnlyProperty: 136079
    case .copyWouldMove: 136080
    case .copyTooLarge: 136081
    case .transformerMissing: 136082
    case .transformFailed: 136083
    case .transformerNotReversible: 136084
    case .unknownRawValue: 136085
    case .undoGrouping: 136086
    case .undoManagerInUse: 136087
    case .toManyInDependentKey: 136088
    case .changeProcessingDisabled: 136089
    case .externalDataMissing: 136050
    case .objectNotFound, .inaccessibleObject: 133000
    case .validation: 1550
    case .multipleValidationErrors: 1560
    case .deleteDenied: 1600
    case .mergeConflict: 133020
    case .constraintConflict: 133021
    case .migrationFailed: 134110
    case .migrationConstraint: 134111
    case .migrationCancelled: 134120
    case .sourceModelMissing: 134130
    case .mappingMissing: 134140
    case .migrationSource: 134150
    case .migrationDestination: 134160
    case .migrationPolicy: 134170
    case .notInferable: 134190
    case .modelReference: 134504
    case .migrationVersion: 134505
    case .migrationBackward: 134506
    case .lossyMigration: 136070
    case .storeInUse: 136043
    case .application: 136096
    case .commitUnknown: 136097
    case .internalInconsistency: 136999
    }
  }
}
