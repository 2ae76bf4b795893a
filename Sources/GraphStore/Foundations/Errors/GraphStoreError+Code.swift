extension GraphStoreError {
  /// The stable word for a kind of failure, with its number.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The word, in kebab case.
    public let rawValue: String
    /// The well-known number, or the project's own.
    public let number: Int

    /// A code by its word; an unknown word has the number of an unclassified failure.
    public init(rawValue: String) {
      self = Self.all.first { $0.rawValue == rawValue } ?? Self(rawValue, 136999)
    }

    private init(_ rawValue: String, _ number: Int) {
      self.rawValue = rawValue
      self.number = number
    }

    /// Lets `catch` patterns compare a code with an error.
    public static func ~= (code: Self, error: any Error) -> Bool {
      (error as? GraphStoreError)?.code == code
    }
  }
}

extension GraphStoreError.Code {
  /// The file named as a store does not exist.
  public static let storeNotFound = Self("store-not-found", 260)
  /// A file stands where a store was to be made.
  public static let storeExists = Self("store-exists", 516)
  /// The file is no store.
  public static let notAStore = Self("not-a-store", 134020)
  /// The store is damaged.
  public static let storeCorrupt = Self("store-corrupt", 259)
  /// The right to read or write a file is missing.
  public static let storePermission = Self("store-permission", 513)
  /// A change was asked of a store opened for reading.
  public static let readOnlyStore = Self("read-only-store", 134030)
  /// Another process held the store longer than the timeout.
  public static let storeTimeout = Self("store-timeout", 134090)
  /// The store could not be opened for another reason.
  public static let storeOpen = Self("store-open", 134080)
  /// A statement failed for a reason of SQLite's own.
  public static let sqlite = Self("sqlite", 134180)
  /// The store could not write.
  public static let storeSaveFailed = Self("store-save-failed", 134030)
  /// The task that waited for a request was cancelled.
  public static let cancelled = Self("cancelled", 3072)
  /// No space is left.
  public static let diskFull = Self("disk-full", 640)
  /// A type of store that is not registered.
  public static let storeTypeUnknown = Self("store-type-unknown", 134000)
  /// A file of another type than the one it was to be opened with.
  public static let storeTypeMismatch = Self("store-type-mismatch", 134010)
  /// An option that a store does not take, or not with that value.
  public static let storeOption = Self("store-option", 136044)
  /// The model differs from the one the store was made with.
  public static let incompatibleModel = Self("incompatible-model", 134100)
  /// A model with more properties than a table has columns.
  public static let modelTooWide = Self("model-too-wide", 136002)
  /// A request or save without any store.
  public static let noStore = Self("no-store", 136005)
  /// A store that the coordinator has mounted already.
  public static let storeAlreadyOpen = Self("store-already-open", 136006)
  /// A store that the coordinator does not have.
  public static let unknownStore = Self("unknown-store", 136009)
  /// A relationship between objects of two stores.
  public static let crossStoreRelationship = Self("cross-store-relationship", 133010)
  /// A saved object was to go to another store.
  public static let storeReassignment = Self("store-reassignment", 136023)
  /// Of several stores some were written.
  public static let incompleteSave = Self("incomplete-save", 134040)
  /// A context without a way to a model.
  public static let noModel = Self("no-model", 136004)
  /// A metadata key that the store keeps for itself.
  public static let metadataReserved = Self("metadata-reserved", 136041)
  /// A metadata value that cannot be kept.
  public static let metadataInvalid = Self("metadata-invalid", 136045)
  /// A configuration the model does not have.
  public static let unknownConfiguration = Self("unknown-configuration", 136008)
  /// An entity the model does not have.
  public static let unknownEntity = Self("unknown-entity", 136010)
  /// A property the entity does not have.
  public static let unknownKey = Self("unknown-key", 136011)
  /// An abstract entity was to be instantiated.
  public static let abstractEntity = Self("abstract-entity", 136012)
  /// The class that an entity names is required and not registered.
  public static let classNotFound = Self("class-not-found", 136013)
  /// A class does not fit the entity.
  public static let classMismatch = Self("class-mismatch", 136014)
  /// One object where a collection is needed, or the reverse.
  public static let wrongCardinality = Self("wrong-cardinality", 136015)
  /// A text or blob over the store's limit.
  public static let valueTooLarge = Self("value-too-large", 136016)
  /// A value of another type than the property's.
  public static let valueType = Self("value-type", 136017)
  /// An object of another entity than the destination.
  public static let wrongDestination = Self("wrong-destination", 136018)
  /// A single-object look-up found several.
  public static let notUnique = Self("not-unique", 136019)
  /// A number that does not fit its attribute.
  public static let valueOutOfRange = Self("value-out-of-range", 136020)
  /// The context of the object was reset, or its store removed.
  public static let objectInvalidated = Self("object-invalidated", 136021)
  /// A temporary identifier in a place that does not know it.
  public static let temporaryIDUnknown = Self("temporary-id-unknown", 136022)
  /// Objects of two contexts were to be related.
  public static let contextMismatch = Self("context-mismatch", 136024)
  /// An inserted object was to be refreshed.
  public static let cannotRefreshInserted = Self("cannot-refresh-inserted", 136025)
  /// A relationship to an object that is in no context.
  public static let objectNotInserted = Self("object-not-inserted", 136026)
  /// A new object of an entity that no store holds.
  public static let noStoreForObject = Self("no-store-for-object", 136027)
  /// A result of another class than asked for.
  public static let resultTypeMismatch = Self("result-type-mismatch", 136028)
  /// An object with a temporary identifier among those to update or to delete.
  public static let inconsistentContext = Self("inconsistent-context", 136029)
  /// A construct no fetch can have.
  public static let unsupportedInFetch = Self("unsupported-in-fetch", 136031)
  /// A sort that no store knows.
  public static let unsupportedSort = Self("unsupported-sort", 136032)
  /// A transient or fetched property in a fetch.
  public static let transientInFetch = Self("transient-in-fetch", 136034)
  /// Two types that do not compare.
  public static let typeMismatch = Self("type-mismatch", 136036)
  /// A to-many path compared directly.
  public static let toManyPath = Self("to-many-path", 136037)
  /// Hooks or validators that change something in every round of a save.
  public static let changesDoNotSettle = Self("changes-do-not-settle", 136040)
  /// A property was to be validated from inside the validator of the same property and object.
  public static let recursiveValidation = Self("recursive-validation", 136047)
  /// A part that a store cannot run although the request refused evaluation in memory.
  public static let unsupportedInStore = Self("unsupported-in-store", 136049)
  /// A context or an object was used outside of the context's queue; the guard's message stops the program,
  /// no error is thrown.
  public static let wrongQueue = Self("wrong-queue", 136052)
  /// The file of an open store was removed or replaced.
  public static let storeReplaced = Self("store-replaced", 136053)
  /// A part of the interface that is not built.
  public static let notSupported = Self("not-supported", 136060)
  /// A request that contradicts itself, or is larger than the store takes.
  public static let invalidRequest = Self("invalid-request", 136071)
  /// A request that names no entity, and has no class that represents one.
  public static let fetchWithoutEntity = Self("fetch-without-entity", 136090)
  /// A property that dictionaries cannot hold, or an aggregate of values that it cannot aggregate.
  public static let invalidProperty = Self("invalid-property", 136091)
  /// Two results of one request with the same name.
  public static let duplicateResultName = Self("duplicate-result-name", 136092)
  /// A value of single rows beside groups or aggregates.
  public static let groupByRequired = Self("group-by-required", 136093)
  /// Groups were asked for with other results than dictionaries.
  public static let groupByNeedsDictionaries = Self("group-by-needs-dictionaries", 136094)
  /// A condition on groups that looks at single rows.
  public static let invalidHaving = Self("invalid-having", 136095)
  /// A save inside a save.
  public static let recursiveSave = Self("recursive-save", 136072)
  /// The context is saving or processing changes.
  public static let contextBusy = Self("context-busy", 136073)
  /// The object's deletion has been saved.
  public static let objectDetached = Self("object-detached", 136074)
  /// An identifier of another coordinator.
  public static let foreignObjectID = Self("foreign-object-id", 136075)
  /// A link that the input names and nothing answers to.
  public static let unresolvedLink = Self("unresolved-link", 136076)
  /// An index beyond the end of an ordered relationship.
  public static let indexOutOfRange = Self("index-out-of-range", 136077)
  /// A relationship's kind does not fit the call.
  public static let wrongPropertyKind = Self("wrong-property-kind", 136078)
  /// A property that cannot be set.
  public static let readOnlyProperty = Self("read-only-property", 136079)
  /// A copy would take destinations away from its original.
  public static let copyWouldMove = Self("copy-would-move", 136080)
  /// A copy has more objects than its rules allow.
  public static let copyTooLarge = Self("copy-too-large", 136081)
  /// The transformer that a transformable attribute names is not registered.
  public static let transformerMissing = Self("transformer-missing", 136082)
  /// A transformer made no bytes of a value, or no value of bytes.
  public static let transformFailed = Self("transform-failed", 136083)
  /// A transformer has no way back from bytes to values.
  public static let transformerNotReversible = Self("transformer-not-reversible", 136084)
  /// A stored raw value that the type of a typed key has no case for.
  public static let unknownRawValue = Self("unknown-raw-value", 136085)
  /// A group of changes was ended that was never begun, or is open where it must not be.
  public static let undoGrouping = Self("undo-grouping", 136086)
  /// The undo manager belongs to another context.
  public static let undoManagerInUse = Self("undo-manager-in-use", 136087)
  /// A key was said to depend on a path through a to-many relationship.
  public static let toManyInDependentKey = Self("to-many-in-dependent-key", 136088)
  /// A relationship was set while the object was awaking from a fetch.
  public static let changeProcessingDisabled = Self("change-processing-disabled", 136089)
  /// The file with the data of a binary attribute is missing or cannot be read.
  public static let externalDataMissing = Self("external-data-missing", 136050)
  /// A record that is not there, found by a look-up.
  public static let objectNotFound = Self("object-not-found", 133000)
  /// A record that is gone, found when its object was used.
  public static let inaccessibleObject = Self("inaccessible-object", 133000)
  /// A rule of the model that a value breaks; the number tells which.
  public static let validation = Self("validation", 1550)
  /// Several failures.
  public static let multipleValidationErrors = Self("multiple-validation-errors", 1560)
  /// A delete rule that forbids.
  public static let deleteDenied = Self("delete-denied", 1600)
  /// Another writer changed the same record.
  public static let mergeConflict = Self("merge-conflict", 133020)
  /// Two objects with equal values in a uniqueness constraint.
  public static let constraintConflict = Self("constraint-conflict", 133021)
  /// A step of a migration failed for a reason that has no code of its own; the store is as it was.
  public static let migrationFailed = Self("migration-failed", 134110)
  /// Data that a migrated store may not have: the rule, how many objects break it, and the first of them.
  public static let migrationConstraint = Self("migration-constraint", 134111)
  /// A migration was cancelled.
  public static let migrationCancelled = Self("migration-cancelled", 134120)
  /// No known version of the model fits the store, and it carries none that can be read.
  public static let sourceModelMissing = Self("source-model-missing", 134130)
  /// No chain of written and inferred mappings leads to the wanted version.
  public static let mappingMissing = Self("mapping-missing", 134140)
  /// The store that is to be migrated cannot be opened.
  public static let migrationSource = Self("migration-source", 134150)
  /// The migrated store cannot be made or written.
  public static let migrationDestination = Self("migration-destination", 134160)
  /// A migration policy or an expression of a mapping failed.
  public static let migrationPolicy = Self("migration-policy", 134170)
  /// Two models between which no mapping can be inferred.
  public static let notInferable = Self("not-inferable", 134190)
  /// A staged migration names a model that is not there, or has another checksum.
  public static let modelReference = Self("model-reference", 134504)
  /// A store that a staged migration cannot place.
  public static let migrationVersion = Self("migration-version", 134505)
  /// A migration that would go back to an earlier version.
  public static let migrationBackward = Self("migration-backward", 134506)
  /// A migration that would lose data, without consent.
  public static let lossyMigration = Self("lossy-migration", 136070)
  /// A store that this process has open where it must not be.
  public static let storeInUse = Self("store-in-use", 136043)
  /// An inconsistency of the library's own.
  public static let internalInconsistency = Self("internal", 136999)

  /// All codes of the library, in the order of their declaration.
  public static let all: [Self] = [
    storeNotFound, storeExists, notAStore, storeCorrupt, storePermission, readOnlyStore, storeTimeout,
    storeOpen,
    sqlite, storeSaveFailed, cancelled, diskFull, storeTypeUnknown, storeTypeMismatch, storeOption,
    incompatibleModel,
    modelTooWide, noStore, storeAlreadyOpen,
    unknownStore, crossStoreRelationship, storeReassignment, incompleteSave, noModel, metadataReserved,
    metadataInvalid,
    unknownConfiguration, unknownEntity, unknownKey, abstractEntity, classNotFound, classMismatch,
    wrongCardinality, valueTooLarge, valueType,
    wrongDestination, notUnique, valueOutOfRange, objectInvalidated, temporaryIDUnknown, contextMismatch,
    cannotRefreshInserted, objectNotInserted, noStoreForObject, resultTypeMismatch, inconsistentContext,
    unsupportedInFetch,
    unsupportedSort, transientInFetch, typeMismatch, toManyPath, changesDoNotSettle, recursiveValidation,
    unsupportedInStore,
    wrongQueue, storeReplaced, notSupported, invalidRequest, fetchWithoutEntity, invalidProperty,
    duplicateResultName, groupByRequired, groupByNeedsDictionaries, invalidHaving, recursiveSave, contextBusy,
    objectDetached,
    foreignObjectID,
    unresolvedLink,
    indexOutOfRange, wrongPropertyKind, readOnlyProperty, copyWouldMove, copyTooLarge,
    transformerMissing, transformFailed, transformerNotReversible, unknownRawValue, undoGrouping,
    undoManagerInUse,
    toManyInDependentKey, changeProcessingDisabled, externalDataMissing,
    objectNotFound,
    inaccessibleObject, validation,
    multipleValidationErrors, deleteDenied, mergeConflict, constraintConflict, migrationFailed,
    migrationConstraint,
    migrationCancelled, sourceModelMissing, mappingMissing, migrationSource, migrationDestination,
    migrationPolicy, notInferable, modelReference, migrationVersion, migrationBackward, lossyMigration,
    storeInUse, internalInconsistency,
  ]
}
