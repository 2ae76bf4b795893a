// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that nobody who uses GraphStore depends on its peers.
let package = Package(
  name: "Benchmarks",
  // The rows of stores on a PostgreSQL server, which need libpq.
  traits: ["PostgreSQL"],
  dependencies: [
    .package(
      name: "GraphStore", path: "..",
      traits: [.trait(name: "PostgreSQL", condition: .when(traits: ["PostgreSQL"]))]),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "CFloors", linkerSettings: [.linkedLibrary("sqlite3")]),
    .systemLibrary(name: "CLibpq", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "CPostgreSQLFloors", dependencies: ["CFloors", "CLibpq"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CFloors", .product(name: "GraphStore", package: "GraphStore"),
        .product(
          name: "GraphStorePostgreSQL", package: "GraphStore", condition: .when(traits: ["PostgreSQL"])),
        .target(name: "CPostgreSQLFloors", condition: .when(traits: ["PostgreSQL"])),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
