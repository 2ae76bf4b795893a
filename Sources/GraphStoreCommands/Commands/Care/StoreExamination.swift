import Foundation
import GraphStore
import GraphStoreReports

/// Examination of the stores that the command would work with, and of the model that is named beside them.
struct StoreExamination {
  private let session: CommandSession

  init(_ session: CommandSession) { self.session = session }

  var findings: [ExaminationFinding] {
    do {
      let stores = try session.stores()
      return stores.flatMap { examine($0.path) } + modelFindings(stores.map(\.path))
    } catch {
      return [finding(error, "store", .warning)] + modelFindings([])
    }
  }

  // MARK: The store

  private func examine(_ path: String) -> [ExaminationFinding] {
    do {
      let coordinator = try open(path, model: nil)
      defer { coordinator.close() }
      let store = coordinator.persistentStores[0]
      return [try description(of: store)] + store.warnings.map(Self.finding) + writing(path)
        + damage(of: path, model: nil)
    } catch let error as GraphStoreError where error.code == .noModel && !session.settings.models.isEmpty {
      return damage(of: path, model: try? session.givenModel())
    } catch {
      return [finding(error, "store", .failure)]
    }
  }

  private func open(_ path: String, model: ManagedObjectModel?) throws -> PersistentStoreCoordinator {
    try PersistentStoreCoordinator.open(
      storeAt: path, options: session.storeOptions(isReadOnly: true), model: model)
  }

  private func description(of store: PersistentStoreReference) throws -> ExaminationFinding {
    let model = store.carriedModel
    let version = model.versionIdentifiers.first.map { " v\($0)" } ?? ""
    let form: String
    if StorePlace(path: store.path).isOnServer {
      form = store.typeName
    } else {
      let journal = try store.journalMode()?.uppercased() ?? "no journal"
      form = "\(StoreSize(path: store.path).total) bytes  \(journal)"
    }
    return ExaminationFinding(
      "store", "\(store.path)  \(form)  model \(model.name)\(version) (cached)")
  }

  private static func finding(_ warning: StoreWarning) -> ExaminationFinding {
    ExaminationFinding(
      .warning, "store", DiagnosticMapper.sentence(warning.message),
      remedy: DiagnosticMapper.hint(warning.remedy))
  }

  /// Whether the store can be written, as far as rights tell.
  private func writing(_ path: String) -> [ExaminationFinding] {
    guard !StorePlace(path: path).isOnServer else { return [] }
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    let folder = file.deletingLastPathComponent().path
    for place in [file.path, folder] where unsafe access(place, W_OK) != 0 {
      return [
        ExaminationFinding(
          .warning, "store", "\(place) cannot be written: the store can only be read",
          remedy: "see to the rights on the file and its folder")
      ]
    }
    return []
  }

  /// What a check that reads no rows finds.
  private func damage(of path: String, model: ManagedObjectModel?) -> [ExaminationFinding] {
    do {
      let results = try StoreCheck.run(path: path, model: model, isQuick: true, timeout: session.timeout)
      return results.flatMap(\.findings).map { finding in
        ExaminationFinding(
          finding.severity == .failure ? .failure : .warning, "store",
          "\(path): \(finding.subject): \(finding.message)",
          remedy: "graphstore check --store \(ShellQuoting.word(path))")
      }
    } catch let error as GraphStoreError where error.code == .notSupported {
      // One in a document was read whole when it was opened.
      return []
    } catch {
      return [finding(error, "store", .failure)]
    }
  }

  // MARK: The model

  private func modelFindings(_ stores: [String]) -> [ExaminationFinding] {
    let files =
      session.settings.models.isEmpty
      ? [session.settings.defaultModel].compactMap { $0 } : session.settings.models
    guard !files.isEmpty else {
      return [ExaminationFinding("model", "no file: a store carries its own")]
    }
    let names = files.joined(separator: ", ")
    do {
      let model = try ManagedObjectModel(mergingContentsOf: files)
      let problems = stores.compactMap { misfit($0, model, names) }
      return problems.isEmpty
        ? [ExaminationFinding("model", "\(names)  \(model.entities.count) entities")] : problems
    } catch {
      return [finding(error, "model", .failure)]
    }
  }

  /// Why a store does not open with a model; nil where it does, or does not open at all.
  private func misfit(
    _ path: String, _ model: ManagedObjectModel, _ names: String
  ) -> ExaminationFinding? {
    do {
      try open(path, model: model).close()
      return nil
    } catch let error as GraphStoreError where error.code == .incompatibleModel {
      // A model that only `init` and `migrate` take by themselves is no failure of other commands.
      let severity: ExaminationFinding.Severity = session.settings.models.isEmpty ? .warning : .failure
      return ExaminationFinding(
        severity, "model", "\(names) does not match \(path): \(DiagnosticMapper.sentence(error.message))",
        remedy: "graphstore migrate plan --store \(ShellQuoting.word(path)) --to \(ShellQuoting.word(names))")
    } catch {
      return nil
    }
  }

  private func finding(
    _ error: any Error, _ name: String, _ severity: ExaminationFinding.Severity
  ) -> ExaminationFinding {
    let problem = DiagnosticMapper.diagnostic(for: error)
    return ExaminationFinding(
      severity, name, problem.message,
      remedy: problem.hints.first ?? "graphstore help \(name == "model" ? "formats" : "environment")")
  }
}
