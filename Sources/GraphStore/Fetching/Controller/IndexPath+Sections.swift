import Foundation

extension IndexPath {
  /// Makes the path of an object of a list in sections, as those of ``FetchedResultsController``.
  ///
  /// ```swift
  /// print(IndexPath(item: 3, section: 1))  // [1, 3]
  /// ```
  public init(item: Int, section: Int) { self = [section, item] }

  /// The number of the section, from 0 on; the path has to have two elements.
  public var section: Int { self[0] }

  /// The number of the object in its section, from 0 on; the path has to have two elements.
  public var item: Int { self[1] }
}
