/// Folders that Xcode keeps models in.
enum XcodeModelPackage {
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
}
