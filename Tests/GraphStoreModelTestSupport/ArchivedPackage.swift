import Foundation

import GraphStoreModel

/// A package of compiled models in a folder, with the list of Core Data's hashes of their versions.
package struct ArchivedPackage {
  /// The folder, `NAME.momd`.
  package let path: String
  /// The versions by name.
  private let versions: [(name: String, model: Archived, entities: [String])]

  /// Writes the versions; the last is the current one.
  package init(_ path: String, _ versions: [(name: String, model: Archived, entities: [String])]) throws {
    self.path = path
    self.versions = versions
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for version in versions {
      try Data(compiledModel(of: version.name)).write(to: URL(fileURLWithPath: "\(path)/\(version.name).mom"))
    }
    try writeList()
  }

  /// Writes the list, `VersionInfo.plist`.
  private func writeList() throws {
    let list: [String: Any] = [
      "NSManagedObjectModel_CurrentVersionName": versions.last?.name ?? "",
      "NSManagedObjectModel_VersionHashes": Dictionary(
        uniqueKeysWithValues: versions.map { ($0.name, hashes(of: $0.name)) }),
    ]
    try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
      .write(to: URL(fileURLWithPath: listPath))
  }

  /// The file of the list.
  package var listPath: String { path + "/VersionInfo.plist" }

  /// The bytes of a version's compiled model.
  package func compiledModel(of name: String) -> [UInt8] {
    versions.first { $0.name == name }.map { TestArchive.bytes(of: $0.model) } ?? []
  }

  /// The hashes that the list has for a version: some that no rule gives.
  package func hashes(of name: String) -> [String: Data] {
    let entities = versions.first { $0.name == name }?.entities ?? []
    return Dictionary(
      uniqueKeysWithValues: entities.map { entity in
        var bytes = [UInt8]((entity + " of " + name).utf8)
        bytes += [UInt8](repeating: 0xC0, count: max(0, 32 - bytes.count))
        return (entity, Data(bytes.prefix(32)))
      })
  }
}

extension ArchivedPackage {
  /// Two versions of a library: shelves with books, and books with a year.
  package static func library(_ path: String) throws -> ArchivedPackage {
    let names = ["Shelf", "Book"]
    return try ArchivedPackage(
      path, [("Library", library(hasYear: false), names), ("Library 2", library(hasYear: true), names)])
  }

  private static func library(hasYear: Bool) -> Archived {
    let isOptional: [String: Archived] = ["NSIsOptional": true]
    var attributes = [
      ArchivedModel.attribute("title", 700, isOptional), ArchivedModel.attribute("pages", 200, isOptional),
    ]
    if hasYear { attributes.append(ArchivedModel.attribute("year", 100, isOptional)) }
    return ArchivedModel.model(
      [
        ArchivedModel.entity(
          "Shelf",
          [
            ArchivedModel.attribute("label", 700, isOptional),
            ArchivedModel.relationship(
              "books", to: "Book", inverse: "shelf", ["NSIsOptional": true, "NSDeleteRule": 1]),
          ]),
        ArchivedModel.entity(
          "Book",
          attributes + [
            ArchivedModel.relationship(
              "shelf", to: "Shelf", inverse: "books",
              ["NSIsOptional": true, "NSDeleteRule": 1, "NSMaxCount": 1])
          ]),
      ], ["CDMCompilerToolVersion": .int(9), "CDMCompilerXcodeVersion": .string("26.0")])
  }
}
