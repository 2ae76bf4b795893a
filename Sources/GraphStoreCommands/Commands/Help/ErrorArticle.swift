/// The article about errors, as the library's pages have it: `.ci/error-article` writes this file anew.
enum ErrorArticle {
  static let text = #"""
    # Errors

    What can go wrong, by its code: what each means and what to do.

    ## Overview

    Catch an error by its code. A code is a stable word that never changes its meaning.

    ```swift
    do {
      _ = try PersistentStoreCoordinator.open(storeAt: "nowhere.db")
    } catch GraphStoreError.code(.storeNotFound) {
      print("no store yet")  // no store yet
    }
    ```

    Or catch the error itself. ``GraphStoreError/message`` says what is wrong and ``GraphStoreError/remedy`` what to do,
    each as a sentence; entity, property, object and value are there for programs.

    ```swift
    do {
      _ = try context.insert(entityNamed: "Employe")
    } catch let error as GraphStoreError {
      print(error.code.rawValue, error.number)  // unknown-entity 136010
      print(error.suggestions)  // ["Employee"]
    }
    ```

    There are five types of errors. All have a code of the same kind, and each code is below once, with its number where it
    has one: Core Data's or Foundation's number for the same failure, or a number from 136000 to 136999.

    | Type | Thrown for |
    |---|---|
    | ``GraphStoreError`` | objects, contexts, requests and stores |
    | ``/GraphStorePredicates/QueryPredicateError`` | predicates, expressions and sort descriptors; with the place in the text |
    | ``/GraphStoreModel/ModelError`` | models and mappings that cannot be used; holds all problems, each with a code, line and column |
    | ``/GraphStoreModel/InferenceError`` | a mapping between two models that cannot be inferred; holds all reasons |
    | ``/GraphStoreModel/ModelLookupError`` | a name that a model does not have |

    What typed properties cannot throw is told to ``Diagnostics/onDeferredError`` at once, and thrown by the next save.

    ## Stores

    ### store-not-found (260)

    There is no file at the path. Check the path; opening never makes a file,
    ``PersistentStoreCoordinator/create(storeAt:model:options:classes:)`` does.

    ### store-exists (516)

    A store was to be made where a file is already. Open it, or choose another path.

    ### not-a-store (134020)

    The file is there and is no store. Check the path.

    ### store-corrupt (259)

    The store is damaged. `graphstore check` (or ``StoreCheck``) says what, and `graphstore check --repair` (or ``StoreRepair``)
    mends what is certain, after a copy was made. Values that keep their rows from being read are set to nil by
    `graphstore check --repair --clear ENTITY.PROPERTY`. For the rest restore a backup, or export what can still be read.
    Elsewhere known as "The SQLite store became corrupted".

    ### store-permission (513)

    The right to read or write the file or its folder is missing. Set the permissions; for reading alone, open with
    ``StoreOptions/isReadOnly``.

    ### read-only-store (134030)

    A change was to be saved in a store that is open for reading only: because it was opened so, because the file or its
    folder may not be written, or because it has triggers or keeps a history that the library could not keep right
    (``PersistentStoreCoordinator/warnings`` says which).

    ### store-timeout (134090)

    Another process held the store for longer than ``StoreOptions/timeout``. Nothing was written; try again, or wait longer.

    ### store-open (134080)

    The store could not be opened for another reason, which the message names. Check the path and the rights on its folder;
    where too many files are open, close some or raise the limit (`ulimit -n`).

    ### store-type-unknown (134000)

    A store was to be opened with a type that is not registered. The remedy lists those that are. An address such as
    `postgresql://db.example/hr` needs the program `graphstore-postgresql`; see `graphstore help postgresql`.

    ### store-type-mismatch (134010)

    The file is of another type than the one asked for; the message names both. Leave the type out, or give the file's own.

    ### file-changed (136042)

    Another program has changed the file of a store that is one document since it was opened or saved. Nothing was written, and the
    changes stay in the context. Open the store again and make the changes there, or save over the other's with
    ``StoreOptions/overwritesChangedFile``. See <doc:StoreTypes>.
    Elsewhere known as "This document's file has been changed by another application since you opened or saved it".

    ### store-option (136044)

    An option that there is not, has no meaning for the type of store or is not built, or a value that it does not take. The
    message names option and value, and says what was expected. Nothing was opened.

    ### sqlite (134180)

    A statement failed for a reason of SQLite's own, such as an error of the device. Nothing was written; try again, and if
    it fails again check the store.

    ### store-save-failed (134030)

    The transaction was taken back after an earlier error. Leave it, and begin again.

    ### cancelled (3072)

    The task that waited for a fetch or count was cancelled, and so was the statement that ran for it. Nothing was written and
    nothing is wrong.

    ### disk-full (640)

    There is no room on the disk. Nothing was written; make room and save again. Reading a store needs room for the index of its
    log beside it, too: on a full disk it cannot be opened, and is whole all the same.

    ### incompatible-model (134100)

    The model's entities differ from those the store was made with; the details name them. Use the model that the store
    carries, by giving none, or the version that fits; or migrate the store: <doc:Migration>.
    Elsewhere known as "The model used to open the store is incompatible with the one used to create the store".

    ### model-too-wide (136002)

    An entity with those below it has more properties than a table has columns. Move some to an entity of their own.

    ### no-store (136005)

    A request or save on a coordinator that has no open store: none was opened, or it was closed. Open one, and make a
    context over it.

    ### store-already-open (136006)

    The file, or a copy of it with the same UUID, is open under the coordinator already. The message names both paths. Use the
    store that is open. See <doc:SeveralStores>.

    ### unknown-store (136009)

    A store that the coordinator does not have: it belongs to another coordinator, or was removed. Take it from the
    coordinator's ``PersistentStoreCoordinator/persistentStores``.

    ### no-model (136004)

    The store carries no model, or one that cannot be read. Give the model that it was made with.
    Elsewhere known as "could not locate an NSManagedObjectModel".

    ### unknown-configuration (136008)

    ``StoreOptions/configuration`` names none of the model's. The suggestions have near names.

    ### metadata-reserved (136041)

    The metadata key is one that the store keeps for itself. Choose another.

    ### metadata-invalid (136045)

    The metadata value cannot be kept. Use text, numbers, truth values, dates, bytes, and lists and dictionaries of these.

    ### store-replaced (136053)

    The file of an open store was removed or replaced (where another program has migrated the store, it is `incompatible-model`). Nothing was written; open the store anew and repeat the change.

    ### store-forked (136046)

    The store was open when the process was forked; its connections and locks belong to the other process. Open it anew in this one.

    ### query-generation-unavailable (136054)

    No context is pinned any more to the state that a token names, or as many states are kept as a store may have. Nothing has changed: pin to
    the token of a context that is pinned, or to the current generation; let contexts merge what others save, which moves their pins on.

    ### query-generation-on-child (136055)

    A child context was to be pinned, which reads what its parent has. Pin the context at the root of the chain.

    ### history-is-tracked (136056)

    The store keeps a history of its changes, and was to be opened without it, which would leave a gap. Leave the option `historyTracking` out,
    or end the history first, which removes it.

    ### history-not-tracked (136057)

    None of the stores that were asked keeps a history. Open one with the option `historyTracking`, or run `graphstore history enable`.

    ### history-expired (134301)

    Something was removed from the history after the place from which it was to be read, or the store was replaced by an older state of it:
    changes were missed. Fetch anew what was derived from the store, and go on from the current token.

    ## Entities, properties and values

    ### unknown-entity (136010)

    The model has no entity of the name. The suggestions have near names.
    Elsewhere known as "Cannot perform operation since entity with name … cannot be found".

    ### unknown-key (136011)

    The entity has no attribute or relationship of the name. The suggestions have near names.
    Elsewhere known as "this class is not key value coding-compliant for the key".

    ### abstract-entity (136012)

    An object of an abstract entity was to be made. Insert one of its sub-entities, which the remedy names.

    ### class-not-found (136013)

    The model requires classes, and nobody registered the one that the entity names. Give it to the coordinator.
    Elsewhere known as "Failed to create new object".

    ### class-mismatch (136014)

    The class represents no entity of the model, or several. Register it under the entity's `className`, or name the entity.
    Elsewhere known as "selector not recognized".

    ### result-type-mismatch (136028)

    An object is of another class than the one asked for. Register that class for the object's entity.

    ### value-type (136017)

    The value is of another type than the attribute. Convert it before it is set.

    ### value-out-of-range (136020)

    The number does not fit the attribute's type. Use a smaller number, or a wider type in the model.

    ### value-too-large (136016)

    A text or binary value has 1,000,000,000 bytes or more, which a store cannot hold. Keep it in a file of its own.

    ### wrong-cardinality (136015)

    A to-one was given a collection, or a to-many a single object. Give what the relationship takes.
    Elsewhere known as "Cannot create NSArray from object".

    ### wrong-destination (136018)

    An object was to be related that is not of the relationship's destination entity. Give one that is.

    ### wrong-property-kind (136078)

    The call does not fit the property, such as ``ManagedObject/objects(forKey:)`` for an attribute. The remedy names the
    call that does.

    ### index-out-of-range (136077)

    The ordered relationship has fewer members. Compare with their count.

    ### read-only-property (136079)

    The property cannot be set: it is computed, or the object is just being loaded (``ManagedObject/awakeFromFetch()``).

    ### not-supported (136060)

    A part that is not built: values of transformable, composite and undefined attributes, setting and fetching by what only
    Core Data computes. The message names the part.

    ## Objects and contexts

    ### object-not-found (133000)

    There is no record of the identifier. Found by ``ManagedObjectContext/existingObject(with:)``.
    Elsewhere known as "Core Data could not fulfill a fault".

    ### inaccessible-object (133000)

    The record of a fault is gone, or the object's own deletion was saved. Let go of the object. See
    <doc:FaultingAndMemory>.

    ### object-invalidated (136021)

    The object's context was reset or is gone, or its store was closed. Fetch the object again by its identifier.
    Elsewhere known as "The NSManagedObject with ID:#### has been invalidated".

    ### object-detached (136074)

    The object's deletion has been saved, and it takes no changes any more. Insert a new one.

    ### object-not-inserted (136026)

    A relationship to an object that is in no context. It cannot arise, since every object is made in a context; the code is
    kept.

    ### wrong-queue (136052)

    A context or one of its objects was used outside of the context's queue. No error is thrown: the concurrency guard stops the
    program with a message, or hands that to ``Diagnostics/onConcurrencyViolation``. Use it in a block given to the context: see
    <doc:Concurrency>.

    ### context-mismatch (136024)

    Objects of two contexts were to be related, or an object was given to a context that is not its own. Get the object in
    this context with ``ManagedObjectContext/object(with:)``.

    ### temporary-id-unknown (136022)

    A temporary identifier was used where it is not known: in another context, or after the save that made it permanent.
    Save first, and pass the permanent identifier on. Elsewhere known as "cannot find data for a temporary oid".

    ### temporary-id (136022)

    A temporary identifier was to be stored, or to name an object of a store: it ends with the save that makes the object's
    identifier permanent. Save first, or call ``ManagedObjectContext/obtainPermanentIDs(for:)``.

    ### foreign-object-id (136075)

    The identifier names a record of a store that this coordinator has not opened. Open that store.

    ### cannot-refresh-inserted (136025)

    An object that was never saved has no stored values to return to. Save it, or delete it.

    ### not-unique (136019)

    A look-up for one object found several, as in an import by a key that two records share. Look up by a unique attribute.

    ### unresolved-link (136076)

    A record that was imported names another that does not exist. Correct the record, or import the other one first.

    ### controller-needs-sort (136039)

    A ``FetchedResultsController`` was made for a request without sort descriptors. Set some: they say where an object belongs.

    ### sections-not-contiguous (136051)

    The order of a ``FetchedResultsController`` puts objects of one section among those of another. Sort by the section key path first, or
    by something that the sections are derived from.

    ### invalid-index (136058)

    An index path, or an index title, that the content of a ``FetchedResultsController`` does not have. Take them from its present content.

    ### recursive-save (136072)

    ``ManagedObjectContext/save()`` was called from within a save, by a hook. Leave it out: the save takes up what hooks
    change.

    ### context-busy (136073)

    A hook or an observer has undone, rolled back or reset the context while it saves or processes changes, or saved it while
    delete rules are being applied. Do that when the save or the processing has ended; an observer of changes may save.

    ### inconsistent-context (136029)

    An object that was never saved was to be updated or deleted: a mistake of the library's own. Nothing was written; reset
    the context, and report it.

    ### application (136096)

    A rule of the application's own, made with `GraphStoreError(application:_:remedy:)`. ``GraphStoreError/word`` is the
    word that the application gave it, and its number the one that it was given.

    ### internal (136999)

    An inconsistency of the library's own. Report it.

    ## Fetching

    ### invalid-request (136071)

    The request contradicts itself, as by a negative limit, and the message says how; or it is larger than SQLite takes, which has
    limits on columns, joins, sort keys and nested conditions. Ask for less at a time then.

    ### store-operation-failed (134070)

    A store of a type that a program has written could not answer a request: the network is gone, for example, or the service refuses.
    The message names what was asked; the store's own error is below this one. Try it again once its cause is gone.

    ### request-unsupported (134091)

    The type of the store, one that a program has written, does not know the request: the metadata of a store that is not open,
    or the removal of one. The message names the type; open the store, and go by its coordinator and contexts.

    ### fetch-without-entity (136090)

    The request has no entity's name, and its class is `ManagedObject`, which represents none. Name the entity, or make the
    request of a class.

    ### unsupported-in-fetch (136031)

    The predicate has a part that works in memory only, such as a closure. Filter the result with it.

    ### unsupported-sort (136032)

    The result cannot be sorted so: the key is a relationship or leads across a to-many, or is an expression that is the same
    for every object; or the modifier is none. Name a key with one value, and a modifier that the hint lists. Elsewhere known
    as "unsupported NSSortDescriptor selector".

    ### transient-in-fetch (136034)

    The predicate or order uses a property that is not stored. Filter or sort the result by it.

    ### unsupported-in-store (136049)

    The store cannot run a part, and the request refuses evaluation in memory
    (``FetchRequest/inMemoryEvaluation``), or the store has no value there. Allow it, or write the part
    otherwise.

    ### type-mismatch (136036)

    The types of the two sides do not compare, such as a number with a date. Convert one with `CAST`, or give a value of the
    key's type.

    ### invalid-property (136091)

    Dictionaries cannot hold the property: it leads to several values, or is not stored; or an aggregate is given values
    that it does not aggregate. Name another key, group by it, or aggregate: `projects.@count`, `count:(name)`.

    ### duplicate-result-name (136092)

    Two results of one request have the same name, which is their key in the dictionaries. Give one of them another.

    ### group-by-required (136093)

    A value of single rows stands beside groups or aggregates, or orders them, or there is a condition on groups and no
    group. Add it to ``FetchRequest/propertiesToGroupBy``, or aggregate it.

    ### group-by-needs-dictionaries (136094)

    Groups are dictionaries: set ``FetchRequest/resultType`` to `dictionary`.

    ### invalid-having (136095)

    The condition on groups looks at something that may differ among the rows of a group. Use what is grouped by, aggregates
    of keys, and the names of the results.

    ### to-many-path (136037)

    A key path across a to-many relationship is compared as if it had one value, or one value is used as a collection. Say
    `ANY`, `ALL`, `NONE`, or use an operator such as `@count`.

    ## Saving

    ### validation (1550)

    A value breaks a rule of the model or of its class. Correct it and save again; nothing was written. The error's
    ``GraphStoreError/number`` tells which rule, or is the class's own, and ``GraphStoreError/predicate`` is the rule where the
    model has it as a predicate:

    | Number | Rule |
    |---|---|
    | 1550 | a rule with a predicate in the model, or the class's own |
    | 1570 | a required property has no value |
    | 1580 | a to-many has too few members |
    | 1590 | a to-many has too many members |
    | 1610 | a number is too large |
    | 1620 | a number is too small |
    | 1630 | a date is too late |
    | 1640 | a date is too early |
    | 1650 | a date is no date |
    | 1660 | a text is too long |
    | 1670 | a text is too short |
    | 1680 | a text does not match its pattern |
    | 1690 | a URI has no text |
    | 136035 | whether a text matches its pattern takes too many steps to tell |

    ### multiple-validation-errors (1560)

    Several failures: ``GraphStoreError/errors`` has them, sorted by entity, object and property. Nothing was written.

    ### delete-denied (1600)

    A relationship with the rule *deny* still has members: ``GraphStoreError/relatedObjects``. Delete or move them in the
    same save.

    ### constraint-conflict (133021)

    Two objects have equal values in a uniqueness constraint: ``GraphStoreError/constraintConflicts`` has them. Change one of
    them, or set a merge policy; nothing was written.

    ### merge-conflict (133020)

    Another context or process has saved the same record since it was read: ``GraphStoreError/conflicts`` has each object
    with its snapshots, the details list the values that differ. Refresh the object with its changes merged and save again, or
    set a merge policy. See <doc:SavingAndValidation>. Elsewhere known as "Could not merge changes".

    ### no-store-for-object (136027)

    No open store takes objects of the entity, since each is for reading only or holds a configuration without it. The
    details say why for each store.

    ### cross-store-relationship (133010)

    A relationship leads from an object of one store to an object of another one, which no store can keep. It is found before
    anything is written. Keep the other object's URI in an attribute instead, or put both objects into one store. See
    <doc:SeveralStores>. Elsewhere known as "Core Data does not support cross store relationships".

    ### copy-would-move (136080)

    A relationship whose inverse is to-one was to be referred to by a copy, which would take
    ``GraphStoreError/relatedObjects`` away from the original. Copy or skip it, or set ``CopyRules/allowsMoving``.

    ### copy-too-large (136081)

    A copy has more objects than ``CopyRules/maximumObjects``. Nothing was inserted.

    ### transformer-missing (136082)

    A transformable attribute names a transformer that is not registered. Its stored bytes stay as they are; register the
    transformer with ``AttributeTransformer/register(_:)`` before its values are read or set.

    ### transform-failed (136083)

    A transformer made no bytes of a value, which fails the save with number 1550, or no value of stored bytes, which stay. Set
    another value, or mend the transformer.

    ### transformer-not-reversible (136084)

    A transformer without a reverse step was to be registered: what it stores could not be read.

    ### unknown-raw-value (136085)

    A stored raw value that the type of a ``RawValueKey`` has no case for. Add the case, or set another value.

    ### undo-grouping (136086)

    A group of changes was ended that was never begun, or undo was asked for while one is open. Call
    ``GraphUndoManager/endUndoGrouping()`` once for each ``GraphUndoManager/beginUndoGrouping()``.

    ### undo-manager-in-use (136087)

    The undo manager belongs to another context. Give each context a manager of its own.

    ### to-many-in-dependent-key (136088)

    A class says by ``ManagedObject/keyPathsForValuesAffectingValue(forKey:)`` that a key depends on a path through a to-many.
    Observe each member, or the context's changes.

    ### change-processing-disabled (136089)

    A relationship was set in ``ManagedObject/awakeFromFetch()``, or a property by an initialiser, which runs for fetched objects
    too. Set it in ``ManagedObject/awakeFromInsert()``, or after the object was fetched.

    ### external-data-missing (136050)

    The file with the data of a binary attribute is missing or cannot be read; all other attributes of the object stay readable.
    Restore the folder beside the store (`.NAME_SUPPORT`), and let `graphstore check` list what is missing. Where another context
    or program has replaced the value, refresh the object. A file given to
    ``ManagedObject/setData(contentsOf:forKey:)`` that cannot be read is told the same way.

    ### store-reassignment (136023)

    An object that has been saved was assigned to another store. ``ManagedObjectContext/move(_:to:rules:)`` moves it.
    Elsewhere known as "Can't reassign an object to a different store once it has been saved".

    ### incomplete-save (134040)

    A save of several stores failed while it was being committed, after some of the stores had committed. The details list
    both groups; objects of the stores that were written are saved, the changes to all others are still there. Save again once
    the cause is gone.

    ### commit-unknown (136097)

    The connection to a database server was lost while a save was being committed, and the server does not answer whether it is done. The
    remedy has the question to put to it once it answers again; then save again, or refresh what was saved.

    ### changes-do-not-settle (136040)

    ``ManagedObject/willSave()`` or a validation changes something in every round of the save. Compare before setting.

    ### recursive-validation (136047)

    ``ManagedObject/validateValue(_:forKey:)`` was called for a key from inside the validator of the same key and object, which
    would have called itself for ever. Let the validator look at the value that it was given.

    ## Predicates, expressions and orders

    ### predicate-syntax

    The text does not follow the grammar. The error has the place, and what could stand there.

    ### unsupported-syntax

    The grammar knows the form, and it has no meaning here. The hint says what to write.

    ### predicate-too-deep

    The tree nests deeper than 500 levels. Use lists (`IN`, `AND` with many members) in place of nesting.

    ### argument-count

    A format or a function has too few or too many arguments. Count the placeholders.

    ### argument-type

    An argument has a type that cannot stand there, such as a number for `%K`. Give one that can.

    ### unbound-variable

    A `$variable` has no value; the error names all of them. Give them, in ``FetchRequest/variables``.

    ### unknown-function

    There is no function or collection operator of the name. The suggestions have near names; an application's own function
    is registered in ``ManagedObjectContext/functions``.

    ### unknown-type

    There is no type of the name to cast to. The hint lists the types.

    ### bad-cast

    A constant cannot be cast to the type. Give a text of the type's form.

    ### unsupported-function

    A known function or operator has no meaning where it stands. The hint says what to write.

    ### invalid-key-path

    A key path is incomplete or has an operator where none can be. Write keys with points between.

    ### unordered-collection

    A member is asked for by position, and the collection has no order. Make the relationship ordered, or ask otherwise.

    ### aggregate-over-scalar

    A function over collections is given a key with one value. Name a to-many path.

    ### bad-regular-expression

    The pattern of `MATCHES` does not compile. The message says where.

    ### predicate-limit

    Whether a text matches the pattern of `MATCHES` takes more than some tens of millions of steps or 64 MB: the pattern lets a text
    match in very many ways. Write it so that there is one: `a+` for `(a+)+`, or `(?>a+)`, which is not gone back to.

    ### arithmetic-overflow

    A sum of whole numbers is the result itself and exceeds 64 bits. Convert to decimals before adding.

    ## Migration

    In each of these cases the store is as it was.

    ### migration-failed (134110)

    A step failed for a reason that has no code of its own, or the new store is not right; the cause stands below. Run
    `graphstore check` over the store, and report what it does not explain.

    ### migration-constraint (134111)

    Data break rules of the new version. The error tells each rule, how many objects break it, and the first ten of them with
    their values. Mend the data with the old model, or allow inexact conversion where that is what is wanted.

    ### migration-cancelled (134120)

    Somebody has cancelled the migration, or interrupted the command. Run it again.

    ### source-model-missing (134130)

    The store is of none of the known versions, and carries no model that can be read. Give the directory with its version.

    ### mapping-missing (134140)

    No chain of written and inferred mappings leads to the wanted version. The details say why each step cannot be inferred;
    write a mapping for it, beginning with `graphstore migrate new-mapping`.

    ### migration-source (134150)

    The store that is migrated cannot be opened; the cause stands below.

    ### migration-destination (134160)

    The migrated or copied store cannot be made or written where it is to be. See to the folder and the room on the disk; a
    copy needs a name that differs before the extension where there is external data, whose folder has that name.

    ### migration-policy (134170)

    A migration policy is not registered, or a hook of it or an expression of a mapping has thrown. The error names mapping,
    hook and object; what was thrown stands below.

    ### not-inferable (134190)

    Two models between which no mapping can be inferred. The details have every reason with its entity, property and remedy.

    ### model-reference (134504)

    A staged migration names a model that is not there, or that has another checksum than the one given.

    ### migration-version (134505)

    The version of the store cannot be told from its metadata, so that a staged migration has no place for it.

    ### migration-backward (134506)

    The store is newer than the wanted version. Open it with its own version; it goes back along written mappings only, where
    that is asked for.

    ### lossy-migration (136070)

    The command would leave data behind, and nobody has agreed: the error lists what. Give a renaming identifier to what was
    renamed, or pass `--allow-lossy`.

    ### store-in-use (136043)

    This process has the store open that is to be replaced or removed. Remove it from its coordinator first.

    ## Models

    ### model-not-found (260)

    There is no model at the path, or under the name in any of the directories, which the message lists.

    ### model-unreadable (136002)

    The file is there and cannot be read. Check the rights on it.

    ### model-syntax (136002)

    The text is not JSON, or not of the form that its kind of model has. The problem has line and column.

    ### model-duplicate-key (136002)

    A key stands twice in one object. Remove one.

    ### model-unknown-key (136002)

    The format has no such key. The suggestion is the near one.

    ### model-missing-key (136002)

    A required key is missing. Add it.

    ### model-wrong-type (136002)

    A value is of another JSON type than the key takes. Give one of the type that the message names.

    ### model-bad-name (136002)

    A name has characters that are not allowed. Use letters, digits and underscores, beginning with a letter or underscore.

    ### model-reserved-name (136002)

    A property is named `self` or `SELF`, by which every key path means the object itself. Choose another name.

    ### model-duplicate-name (136002)

    A name is used twice. Rename one of them.

    ### model-unknown-entity (136002)

    No entity has the name. The suggestion is the near one.

    ### model-unknown-property (136002)

    No property of the entity has the name. The suggestion is the near one.

    ### model-inheritance-cycle (136002)

    A chain of parents returns to its start. Take one parent out.

    ### model-property-redefined (136002)

    An ancestor already has a property of the name. Rename or remove it.

    ### model-bad-inverse (136002)

    The inverse does not lead back. Name the relationship of the destination that does.

    ### model-bad-value (136002)

    A value is not allowed where it stands, such as a delete rule of an unknown name. Correct it.

    ### model-not-applicable (136002)

    A key has no meaning where it stands, such as a pattern for a number. Remove it.

    ### model-bad-expression (136002)

    A predicate, expression or pattern in the model has a mistake. The problem has its place in the text.

    ### model-bad-version (136002)

    The directory has no such version, or its current version cannot be told.

    ### model-merge-clash (136003)

    Two models that are merged define one name differently. Rename it in one of them.
    Elsewhere known as "Can't merge models with two different entities named …".

    ### mapping-not-found (260)

    There is no mapping file at the path. The problem has the path that was tried.

    ### mapping-unreadable (136002)

    The mapping is there and cannot be read: it is a folder without `xcmapping.xml`, or a compiled mapping. Give the file
    that it was compiled from.

    ### mapping-syntax (136002)

    The text is not JSON, or not the XML of Xcode's mappings. The problem has line and column.

    ### mapping-duplicate-key (136002)

    A key stands twice in one object of the mapping. Remove one.

    ### mapping-unknown-key (136002)

    A key that mappings do not have. The suggestion has a near one.

    ### mapping-missing-key (136002)

    A required key is missing, such as the `destination` of an entity mapping, which is `null` where objects are to be left
    behind.

    ### mapping-wrong-type (136002)

    A value of another JSON type than asked for. Expressions are strings.

    ### mapping-duplicate-name (136002)

    Two entity mappings have one name, a property is stated twice, or two files map one pair of entities.

    ### mapping-bad-version (136002)

    The directory has no version of the name, or the hashes that the mapping records are not those of the models.

    ### mapping-unknown-entity (136002)

    The model has no entity of the name. The suggestion has a near one.

    ### mapping-unknown-property (136002)

    The entity of the destination has no attribute or relationship of the name. The suggestion has a near one.

    ### mapping-unknown-mapping (136002)

    A relationship refers to an entity mapping that there is not. The suggestion has a near name.

    ### mapping-bad-value (136002)

    A value that is not allowed where it stands: a type that contradicts the rest, a value that can never be one of the
    property, or objects that the relationship cannot have.

    ### mapping-not-applicable (136002)

    A key has no meaning where it stands, such as the value of a derived attribute. Leave it out.

    ### mapping-bad-expression (136002)

    An expression or predicate of a mapping has a mistake, such as an unknown variable, key or function. The problem has its
    place in the text.

    ### mapping-incomplete (136002)

    The mapping leaves out a part that cannot be inferred. State it; `graphstore migrate new-mapping` writes what there is.

    ### unknown-template

    The model has no stored fetch request of the name. The suggestions have near names.
    """#
}
