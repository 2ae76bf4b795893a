@_exported import GraphStoreModel
@_exported import GraphStorePredicates
@_exported import struct OrderedCollections.OrderedSet
@_exported import struct GraphStoreSQLite.StatementCounts
