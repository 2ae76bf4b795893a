import Foundation

/// The files of a store: the database, and those that stand beside it while it is in use.
struct StoreFiles {
  private let paths: [String]

  init(_ store: String) { paths = ["", "-wal", "-shm", "-journal"].map { store + $0 } }

  /// The one that a path leads to, whatever links it goes through, or would make if it is not there.
  func file(at path: String) -> String? {
    let target = Identity(path)
    return paths.first { Identity($0) == target }
  }

  /// What makes two paths the same file: the file itself, or where there is none its folder and its name.
  private enum Identity: Equatable {
    case file(device: dev_t, inode: ino_t)
    case absent(path: String)

    init(_ path: String) {
      var status = stat()
      if unsafe stat(path, &status) == 0 {
        self = .file(device: status.st_dev, inode: status.st_ino)
      } else {
        let url = URL(fileURLWithPath: path)
        self = .absent(
          path: url.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + url.lastPathComponent)
      }
    }
  }
}
