import Foundation
import Synchronization

/// The localized texts of a model: those of the model itself, and those of strings files, which are read when
/// the first text is needed and again when the language changes.
final class ModelLocalization: Sendable {
  /// The texts of one model file and the path of its strings files.
  struct Source: Sendable {
    var texts: [String: String]
    var strings: StringsLocation?
  }

  private struct Texts {
    var language: String?
    var entries: [String: String]
    var findings: [ModelProblem]
  }

  /// The sources, the one that counts most first.
  let sources: [Source]
  private let isEmpty: Bool
  private let texts = Mutex<Texts?>(nil)

  init(_ sources: [Source]) {
    self.sources = sources
    isEmpty = sources.allSatisfy { $0.texts.isEmpty && $0.strings == nil }
  }

  /// All texts in the language in force.
  var entries: [String: String] { isEmpty ? [:] : current.entries }

  /// The strings files that cannot be read.
  var findings: [ModelProblem] { isEmpty ? [] : current.findings }

  private var current: Texts {
    let language = ModelLanguage.current
    let (result, news) = texts.withLock { texts -> (Texts, [ModelProblem]) in
      if let texts, texts.language == language { return (texts, []) }
      let fresh = read(language)
      let known = Set(texts?.findings ?? [])
      texts = fresh
      return (fresh, fresh.findings.filter { !known.contains($0) })
    }
    for finding in news { ModelWarning.post(finding) }
    return result
  }

  private func read(_ language: String?) -> Texts {
    var all = Texts(language: language, entries: [:], findings: [])
    for source in sources.reversed() {
      all.entries.merge(source.texts) { $1 }
      for path in source.strings?.paths(language: language) ?? [] {
        guard FileManager.default.fileExists(atPath: path) else { continue }
        do throws(StringsFileError) {
          all.entries.merge(try StringsFile.read(path)) { $1 }
        } catch {
          all.findings.append(error.finding)
        }
      }
    }
    return all
  }
}

extension ManagedObjectModel {
  /// Texts by `Entity/E`, `Property/P/Entity/E`, `Property/P` and `ErrorString/TEXT`, in the language in
  /// force.
  ///
  /// They are those of the model file; over them, key by key, those of the strings file beside it
  /// (`CompanyModel.strings` for `Company.json`), and over these those of the language's folder
  /// (`de.lproj/CompanyModel.strings`). Strings files are read when the first text is needed. Texts that are
  /// set in code win over all files: take a ``copy()``, set its `localization`, and make a model of it.
  public var localizationDictionary: [String: String] { localization.entries }

  /// The strings files that cannot be read; ``ModelWarning`` reports them too, once.
  public var localizationFindings: [ModelProblem] { localization.findings }

  /// An entity's name for display; its plain name where there is no text.
  public func localizedName(of entity: EntityDescription) -> String {
    localization.entries["Entity/\(entity.name)"] ?? entity.name
  }

  /// A property's name for display: looked up under the entity, its ancestors, then without entity.
  public func localizedName(of property: PropertyDescription, in entity: EntityDescription) -> String {
    let texts = localization.entries
    guard !texts.isEmpty else { return property.keyPath }
    var current: EntityDescription? = entity
    while let place = current {
      if let text = texts["Property/\(property.keyPath)/Entity/\(place.name)"] { return text }
      current = place.superentity
    }
    return texts["Property/\(property.keyPath)"] ?? property.keyPath
  }

  /// A message of a rule for display.
  public func localizedErrorText(_ text: String) -> String {
    localization.entries["ErrorString/\(text)"] ?? text
  }
}
