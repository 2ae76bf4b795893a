@_exported import GraphStoreModel
@_exported import GraphStorePredicates
