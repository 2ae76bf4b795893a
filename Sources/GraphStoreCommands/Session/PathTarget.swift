import Foundation

/// What a path leads to: a file, whatever links the path goes through, or where there is none a name in a
/// folder. Equal ones are one and the same.
enum PathTarget: Equatable {
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
