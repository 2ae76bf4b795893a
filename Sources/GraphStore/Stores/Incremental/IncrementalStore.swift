import GraphStoreModel
import GraphStorePredicates

/// Store of a type of the program's own, which answers requests instead of handing over all that it holds: a
/// web service, another database, a device.
///
/// The library asks it for records as *nodes*, and does above it what contexts are used to: objects, faults,
/// unsaved changes, delete rules, validation, conflicts. What a store declares by its ``capabilities``, it is
/// asked for; the rest of a request the library does itself, over the nodes. See <doc:IncrementalStores>.
///
/// ```swift
/// final class FixedDepartments: IncrementalStore {
///   let names = ["Sales", "Support"]
///
///   func loadMetadata() async throws -> [String: Value] {
///     ["NSStoreType": .string("Fixed"), "NSStoreUUID": .string("0FD0A1F4-5B0F-4C9B-9B43-7C2C0E7E5E11")]
///   }
///   func fetch(_ query: IncrementalStoreQuery) async throws -> IncrementalStoreAnswer {
///     .nodes(query.entity.name == "Department" ? (1...2).map(node) : [])
///   }
///   func nodes(for identifiers: [NodeIdentifier]) async throws -> [IncrementalStoreNode] {
///     (1...2).map(node).filter { node in
///       identifiers.contains { $0.reference == node.identifier.reference }
///     }
///   }
///   func members(_ query: IncrementalStoreMemberQuery) async throws -> IncrementalStoreMembers {
///     IncrementalStoreMembers([:])
///   }
///   private func node(_ number: Int64) -> IncrementalStoreNode {
///     IncrementalStoreNode(
///       NodeIdentifier(entity: "Department", reference: .integer(number)),
///       values: ["name": .string(names[Int(number) - 1])])
///   }
/// }
/// let fixed = PersistentStoreCoordinator(model: model, classes: CompanyModel.classes)
/// try fixed.addStore(FixedDepartments())
/// let list = ManagedObjectContext(coordinator: fixed, concurrencyType: .mainQueue)
/// print(try list.count(for: FetchRequest<Department>(predicate: QueryPredicate("name == 'Sales'"))))  // 1
/// ```
///
/// Its methods may be called from several threads at once, and they may suspend: a context that asks by a
/// method without `await` waits for the answer, for as long as the time-out of the store at most. They run
/// outside of the threads that wait, on which they can rely even where the whole program waits for them. What
/// a method throws is thrown by the call of the context that has caused it, below an error of the library.
public protocol IncrementalStore: Sendable {
  /// What the store is asked for; nothing but nodes by default.
  var capabilities: IncrementalStoreCapabilities { get }

  /// The metadata of the store, as property lists have them: at least its UUID as text under `NSStoreUUID`,
  /// which identifiers of its records contain, and its type under `NSStoreType`.
  ///
  /// Called once, before everything else. Where there are version hashes under `NSStoreModelVersionHashes`,
  /// the model has to have them.
  func loadMetadata() async throws -> [String: Value]

  /// The records that a query selects, as it wants them; or which of its parts the store cannot answer
  /// exactly, and the library then asks again without these.
  ///
  /// Unsaved changes are no concern of the store: the library corrects its answer.
  func fetch(_ query: IncrementalStoreQuery) async throws -> IncrementalStoreAnswer

  /// The nodes of records, in any order; those that are not there are left out.
  ///
  /// An identifier may name an entity above the record's own.
  func nodes(for identifiers: [NodeIdentifier]) async throws -> [IncrementalStoreNode]

  /// The members of a to-many relationship of several owners.
  func members(_ query: IncrementalStoreMemberQuery) async throws -> IncrementalStoreMembers

  /// The references by which the store is going to know new records, in their order.
  ///
  /// Called once for each save that inserts, before it, or for the objects that a program obtains identifiers
  /// for. References of a save that fails afterwards are not used again.
  func permanentReferences(for insertions: [IncrementalStoreInsertion]) async throws -> [NodeReference]

  /// Writes changes: all of them, or, where it throws, none.
  ///
  /// - Throws: ``IncrementalStoreConflict`` where a record is not what the changes expect it to be.
  func save(_ changes: IncrementalStoreChanges) async throws

  /// Says that contexts have begun to use records; only with ``IncrementalStoreCapabilities/registrations``.
  func didRegister(_ identifiers: [NodeIdentifier]) async

  /// Says that no context uses records any more, of which ``didRegister(_:)`` has told before.
  func didUnregister(_ identifiers: [NodeIdentifier]) async

  /// Says that the store is not asked any more: it was removed from its coordinator, or that was closed.
  func close() async
}

extension IncrementalStore {
  /// Nothing but nodes.
  public var capabilities: IncrementalStoreCapabilities { [] }

  /// Refuses insertions, as a store does that is only read.
  ///
  /// - Throws: `request-unsupported`.
  public func permanentReferences(
    for insertions: [IncrementalStoreInsertion]
  ) async throws -> [NodeReference] {
    throw GraphStoreError.unsupportedRequest("Inserting objects", of: "\(Self.self)", instead: "Only fetch.")
  }

  /// Refuses changes, as a store does that is only read.
  ///
  /// - Throws: `request-unsupported`.
  public func save(_ changes: IncrementalStoreChanges) async throws {
    throw GraphStoreError.unsupportedRequest("Saving", of: "\(Self.self)", instead: "Only fetch.")
  }

  /// Does nothing.
  public func didRegister(_ identifiers: [NodeIdentifier]) async {}

  /// Does nothing.
  public func didUnregister(_ identifiers: [NodeIdentifier]) async {}

  /// Does nothing.
  public func close() async {}
}

/// Capabilities of an incremental store: the parts of requests that it answers exactly. What it lacks the
/// library does.
///
/// ```swift
/// let capabilities: IncrementalStoreCapabilities = [.predicates, .counts, .versions]
/// print(capabilities.contains(.sorting))  // false
/// ```
public struct IncrementalStoreCapabilities: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Makes a set of its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It evaluates predicates, in the three-valued logic of stores; single ones it may decline.
  public static let predicates = Self(rawValue: 1 << 0)
  /// It sorts by descriptors.
  public static let sorting = Self(rawValue: 1 << 1)
  /// It returns a window of a result: limit and offset.
  public static let windows = Self(rawValue: 1 << 2)
  /// It counts records without reading them.
  public static let counts = Self(rawValue: 1 << 3)
  /// It returns identifiers without values.
  public static let identifiers = Self(rawValue: 1 << 4)
  /// The versions of its nodes rise with each change of a record, whoever makes it. Without it the library
  /// compares values to find out what others have changed.
  public static let versions = Self(rawValue: 1 << 5)
  /// It wants to know which records are in use.
  public static let registrations = Self(rawValue: 1 << 6)

  /// Everything.
  public static let all: Self = [
    .predicates, .sorting, .windows, .counts, .identifiers, .versions, .registrations,
  ]
}
