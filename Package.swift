// swift-tools-version: 6.2
import PackageDescription

/// Each use of memory that the compiler cannot check is marked `unsafe` where it stands.
let memorySafety: [SwiftSetting] = [.strictMemorySafety(), .treatWarning("StrictMemorySafety", as: .error)]

let package = Package(
  name: "GraphStore",
  products: [
    .library(name: "GraphStore", targets: ["GraphStore"]),
    .library(name: "GraphStoreConformance", targets: ["GraphStoreConformance"]),
    .library(name: "GraphStoreTesting", targets: ["GraphStoreTesting"]),
    .library(name: "GraphStorePostgreSQL", targets: ["GraphStorePostgreSQL"]),
    .executable(name: "graphstore", targets: ["GraphStoreTool"]),
    .executable(name: "graphstore-postgresql", targets: ["graphstore-postgresql"]),
    .executable(name: "graphstore-codegen", targets: ["graphstore-codegen"]),
    .plugin(name: "GraphStoreCodegenPlugin", targets: ["GraphStoreCodegenPlugin"]),
  ],
  // Stores on a PostgreSQL server need libpq, which who does not ask for them neither needs nor sees.
  traits: [.trait(name: "PostgreSQL", description: "Stores on a PostgreSQL server, by libpq.")],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CGraphStoreSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CGraphStoreEditline", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(name: "CGraphStoreZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CGraphStoreShims", dependencies: ["CGraphStoreSQLite"]),
    .target(name: "GraphStoreFiles", swiftSettings: memorySafety),
    // Foundation's own Unicode library, for collation.
    .target(
      name: "GraphStorePredicates", swiftSettings: memorySafety,
      linkerSettings: [.linkedLibrary("_FoundationICU")]),
    .target(
      name: "GraphStoreModel", dependencies: ["GraphStoreFiles", "GraphStorePredicates"],
      swiftSettings: memorySafety),
    // Swift from models. What build tools run stands on the floor of the models alone.
    .target(
      name: "GraphStoreCodegen", dependencies: ["GraphStoreModel", "GraphStorePredicates"],
      swiftSettings: memorySafety),
    .executableTarget(
      name: "graphstore-codegen", dependencies: ["GraphStoreCodegen", "GraphStoreModel"],
      path: "Sources/GraphStoreCodegenTool", swiftSettings: memorySafety),
    .plugin(
      name: "GraphStoreCodegenPlugin", capability: .buildTool(), dependencies: ["graphstore-codegen"],
      path: "Sources/GraphStoreCodegenPlugin"),
    .target(
      name: "GraphStoreSQLite", dependencies: ["GraphStoreFiles", "CGraphStoreSQLite", "CGraphStoreShims"],
      swiftSettings: memorySafety),
    .target(
      name: "GraphStore",
      dependencies: [
        "GraphStoreFiles", "GraphStoreModel", "GraphStorePredicates", "GraphStoreSQLite", "CGraphStoreShims",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      exclude: ["README.md"], swiftSettings: memorySafety),
    // Promises of stores, run over types of stores that programs write.
    .target(
      name: "GraphStoreConformance", dependencies: ["GraphStore"], swiftSettings: memorySafety),
    // Stores and conflicts for the tests of programs.
    .target(
      name: "GraphStoreTesting", dependencies: ["GraphStore"], swiftSettings: memorySafety),
    // What the command, its shell and other fronts say: results of queries, reports, errors in words.
    .target(
      name: "GraphStoreReports",
      dependencies: [
        "GraphStore", "GraphStoreFiles", "GraphStoreModel", "GraphStorePredicates", "CGraphStoreZlib",
      ],
      swiftSettings: memorySafety),
    .target(
      name: "GraphStoreCommands",
      dependencies: [
        "GraphStore", "GraphStoreReports", "GraphStoreCodegen", "GraphStoreFiles", "GraphStoreModel",
        "GraphStoreSQLite", "CGraphStoreEditline", "CGraphStoreShims", "CGraphStoreZlib",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: memorySafety),
    .executableTarget(
      name: "GraphStoreTool", dependencies: ["GraphStoreCommands"], swiftSettings: memorySafety),
    .systemLibrary(name: "CGraphStorePostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "GraphStorePostgreSQL",
      dependencies: [
        "GraphStore", "GraphStoreFiles", "GraphStoreModel", "GraphStorePredicates", "CGraphStoreShims",
        .target(name: "CGraphStorePostgreSQL", condition: .when(traits: ["PostgreSQL"])),
      ],
      swiftSettings: memorySafety),
    .executableTarget(
      name: "graphstore-postgresql",
      dependencies: ["GraphStore", "GraphStoreCommands", "GraphStorePostgreSQL"],
      path: "Sources/GraphStorePostgreSQLTool", swiftSettings: memorySafety),
    // Random searches for lost data, wrong answers and crashes of the built command: make campaign.
    .target(name: "CGraphStoreCampaign", path: "Tests/CGraphStoreCampaign"),
    .executableTarget(
      name: "graphstore-campaign",
      dependencies: [
        "CGraphStoreCampaign", "CGraphStoreSQLite",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Campaign"),
    // What several test targets use: seeds of random tests, folders, the compiler, tables of errors.
    .target(
      name: "GraphStoreTestSupport", dependencies: ["GraphStorePredicates"],
      path: "Tests/GraphStoreTestSupport"),
    // Contexts for tests that are as long as one function.
    .target(
      name: "GraphStoreContextTestSupport", dependencies: ["GraphStore"],
      path: "Tests/GraphStoreContextTestSupport"),
    .testTarget(
      name: "GraphStorePredicatesTests", dependencies: ["GraphStorePredicates", "GraphStoreTestSupport"]),
    // Compiled models as Apple's tools write them.
    .target(
      name: "GraphStoreModelTestSupport", dependencies: ["GraphStoreModel"],
      path: "Tests/GraphStoreModelTestSupport"),
    .testTarget(
      name: "GraphStoreModelTests",
      dependencies: ["GraphStoreModel", "GraphStoreModelTestSupport", "GraphStoreTestSupport"]),
    .testTarget(
      name: "GraphStoreCodegenTests",
      dependencies: [
        "GraphStoreCodegen", "GraphStoreModel", "GraphStore", "graphstore-codegen", "GraphStoreTestSupport",
        "GraphStoreContextTestSupport",
      ],
      exclude: ["Models"]),
    .testTarget(
      name: "GraphStoreSQLiteTests",
      dependencies: ["GraphStoreFiles", "GraphStoreModel", "GraphStoreSQLite", "GraphStoreTestSupport"]),
    // Topics, samples and lists of the pages.
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "GraphStore", "GraphStoreConformance", "GraphStoreTesting", "GraphStoreCodegen", "GraphStoreModel",
        "GraphStoreTestSupport",
      ]),
    // Types of stores by the public interface alone.
    .testTarget(
      name: "GraphStoreConformanceTests",
      dependencies: [
        "GraphStore", "GraphStoreConformance", "GraphStoreTesting", "GraphStoreTestSupport",
        "GraphStoreContextTestSupport",
      ]),
    .target(name: "CGraphStoreTestSupport", path: "Tests/CGraphStoreTestSupport"),
    // Ends as programs do that break the rules of queues.
    .executableTarget(name: "graphstore-misuse", dependencies: ["GraphStore"], path: "Tests/Misuse"),
    .testTarget(
      name: "GraphStoreTests",
      dependencies: [
        "GraphStore", "GraphStoreConformance", "GraphStorePostgreSQL", "CGraphStoreTestSupport",
        "GraphStoreTestSupport", "GraphStoreContextTestSupport", "GraphStoreModelTestSupport",
        "graphstore-misuse",
      ],
      exclude: ["Stores/SQL/Conditions.golden", "Stores/SQL/Statements.golden"]),
    // Needs a server, and the trait: make test-postgresql.
    .testTarget(
      name: "GraphStorePostgreSQLTests",
      dependencies: [
        "GraphStore", "GraphStoreConformance", "GraphStorePostgreSQL", "GraphStoreTestSupport",
        "GraphStoreContextTestSupport", "GraphStoreTool", "graphstore-postgresql",
      ]),
    .testTarget(
      name: "GraphStoreReportsTests",
      dependencies: [
        "GraphStore", "GraphStoreReports", "GraphStoreTestSupport", "GraphStoreContextTestSupport",
      ]),
    .testTarget(
      name: "GraphStoreCommandsTests",
      dependencies: [
        "GraphStoreCommands", "GraphStoreReports", "GraphStoreTool", "GraphStoreModelTestSupport",
        "GraphStoreTestSupport", "GraphStoreContextTestSupport", "CGraphStoreCampaign",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// The thread sanitizer is over what runs in the process of a test alone: without the command and its tests its build
// takes half of the time (.ci/sanitize).
if Context.environment["GRAPHSTORE_TARGETS"] == "library" {
  let commands: Set = [
    "GraphStoreReports", "GraphStoreCommands", "GraphStoreTool", "graphstore-postgresql",
    "graphstore-campaign", "CGraphStoreCampaign", "CGraphStoreEditline", "GraphStoreReportsTests",
    "GraphStoreCommandsTests",
    "GraphStorePostgreSQLTests", "GraphStoreCodegenTests", "DocumentationTests", "GraphStoreConformanceTests",
    "GraphStoreModelTests",
  ]
  package.targets.removeAll { commands.contains($0.name) }
  package.products.removeAll { ["graphstore", "graphstore-postgresql"].contains($0.name) }
  package.dependencies.removeAll { $0.url?.hasSuffix("swift-argument-parser") == true }
}
