/// Contexts of the test's thread, for every file of the tests.
@_exported import GraphStoreContextTestSupport
/// Seeds and their generator, for every file of the tests.
@_exported import GraphStoreTestSupport
