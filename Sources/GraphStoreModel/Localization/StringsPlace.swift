/// Where the strings files of a model are: beside the model, named after it.
struct StringsPlace: Hashable, Sendable {
  private let directory: String
  private let fileName: String

  /// The place for a model file or directory: `CompanyModel.strings` beside `Company.json` and `Company.graphmodel`.
  init(besides path: String) {
    directory = ModelFile.directory(of: path)
    fileName = ModelFile.baseName(of: path) + "Model.strings"
  }

  /// The files of a language, the one that counts least first; they need not be there.
  func paths(language: String?) -> [String] {
    let folders = language.map { ModelLanguage.folders(for: $0) } ?? []
    return [ModelFile.path(fileName, in: directory)]
      + folders.map { ModelFile.path($0 + "/" + fileName, in: directory) }
  }
}
