@_exported import GraphStoreModel
@_exported import GraphStorePredicates
@_exported import struct OrderedCollections.OrderedSet
