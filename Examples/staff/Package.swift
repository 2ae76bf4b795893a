// swift-tools-version: 6.1
import PackageDescription

// The same program twice: `Staff` has its classes made of the model while it is built, `StaffByHand` has them written.
let package = Package(
  name: "Staff",
  dependencies: [.package(name: "GraphStore", path: "../..")],
  targets: [
    .executableTarget(
      name: "Staff", dependencies: [.product(name: "GraphStore", package: "GraphStore")],
      plugins: [.plugin(name: "GraphStoreCodegenPlugin", package: "GraphStore")]),
    .executableTarget(
      name: "StaffByHand", dependencies: [.product(name: "GraphStore", package: "GraphStore")]),
  ],
  swiftLanguageModes: [.v6]
)
