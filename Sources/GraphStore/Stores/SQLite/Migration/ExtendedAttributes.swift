import CGraphStoreShims
import Foundation

/// Attributes that a file system keeps with a file beside its mode and times.
enum ExtendedAttributes {
  /// Gives a file those of another one, as far as the process may; file systems without any have none to give.
  static func copy(from path: String, toFile descriptor: Int32) {
    let length = unsafe gs_listxattr(path, nil, 0)
    guard length > 0 else { return }
    var names = [CChar](repeating: 0, count: length)
    guard unsafe gs_listxattr(path, &names, names.count) == length else { return }
    for name in names.split(separator: 0).map({ Array($0) + [0] }) {
      let size = unsafe gs_getxattr(path, name, nil, 0)
      guard size >= 0 else { continue }
      var value = [UInt8](repeating: 0, count: max(size, 1))
      guard unsafe gs_getxattr(path, name, &value, size) == size else { continue }
      _ = unsafe gs_fsetxattr(descriptor, name, value, size)
    }
  }
}
