/// Folders that Xcode keeps models in.
enum XcodeModelFolder {
  /// The file of a folder `NAME.xcdatamodel` that holds the model.
  ///
  /// - Throws: `model-unreadable` for a folder of a very old Xcode, which holds binary archives.
  static func contents(of folder: String) throws(ModelError) -> String {
    let names = try ModelFile.names(in: folder)
    if !names.contains("contents"), names.contains("elements") {
      throw ModelFile.unreadable(
        folder,
        "\(folder) holds the binary archives of a very old Xcode, not XML; save the model with Xcode 4 or later."
      )
    }
    return ModelFile.path("contents", in: folder)
  }

  /// The folder `NAME.xcdatamodel` whose file `contents` a path is; nil for any other path.
  static func folder(ofContents path: String) -> String? {
    let folder = ModelFile.directory(of: path)
    let isContents = ModelFile.lastComponent(of: path) == "contents"
    return isContents && ModelFormat(endingOf: folder) == .xcodeModel ? folder : nil
  }
}
