/// Seeds and their generator, for every file of the tests.
@_exported import GraphStoreTestSupport
