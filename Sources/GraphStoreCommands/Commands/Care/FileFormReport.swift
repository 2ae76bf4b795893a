import Foundation
import GraphStore
import GraphStoreReports

/// What `info` says of the form of a store's file.
enum FileFormReport {
  /// Adds who made the file, and SQLite's settings that are kept in it.
  static func add(_ summary: StoreSummary, to table: inout PropertyTable) {
    table.add("maker", maker(summary).map { .string($0) } ?? .null)
    table.add("journal", summary.journalMode.map { .string($0) } ?? .null)
    table.add("page-size", summary.pageSize.map { .int(Int64($0)) } ?? .null)
    table.add("pragmas", differingPragmas(summary).map { .string($0) } ?? .null)
  }

  /// The type of a store, which one whose metadata cannot be read has by its file.
  static func type(_ summary: StoreSummary) -> Value {
    guard case .string(let name)? = summary.metadata["NSStoreType"] else { return .string("sqlite") }
    return .string(name.lowercased())
  }

  /// Who made a store; nil where its metadata cannot be read.
  static func maker(_ summary: StoreSummary) -> String? {
    guard summary.identifier != nil else { return nil }
    guard summary.isMadeByCoreData else { return "GraphStore" }
    return "Core Data" + (summary.frameworkVersion.map { ", framework version \($0)" } ?? "")
  }

  /// The settings in the file that are others than those of a new store; nil where none is.
  private static func differingPragmas(_ summary: StoreSummary) -> String? {
    guard let pageSize = summary.pageSize, let autoVacuum = summary.autoVacuum else { return nil }
    let settings = [
      ("auto_vacuum", "\(autoVacuum)", "2"), ("journal_mode", summary.journalMode ?? "", "wal"),
      ("page_size", "\(pageSize)", "4096"),
    ]
    let differing = settings.filter { $0.1 != $0.2 }.map { "\($0.0)=\($0.1)" }
    return differing.isEmpty ? nil : differing.joined(separator: ", ")
  }

  /// The names of the files and the folder beside a store that belong to it; nil where there are none.
  static func sideFiles(of path: String) -> String? {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let names = StoreFiles(file).all.dropFirst().filter { FileManager.default.fileExists(atPath: $0) }
      .map { URL(fileURLWithPath: $0).lastPathComponent }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
