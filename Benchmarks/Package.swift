// swift-tools-version: 6.0
import PackageDescription

// A package of its own, so that nobody who uses GraphStore depends on its peers.
let package = Package(
  name: "Benchmarks",
  dependencies: [
    .package(name: "GraphStore", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .target(name: "CFloors", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CFloors", .product(name: "GraphStore", package: "GraphStore"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
