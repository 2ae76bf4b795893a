/// A section of the content of a ``FetchedResultsController``: objects of one name, all neighbours.
///
/// ```swift
/// for section in controller.sections ?? [] {
///   print(section.name, section.objects.count)
/// }
/// ```
///
/// It shows the content as it is when it is asked; of a section that has gone the name is left. Belongs to
/// the context's queue.
public struct FetchedResultsSection<Object: ManagedObject> {
  /// The title in the index beside the list.
  public let indexTitle: String
  private let section: SectionedList.Section

  init(_ section: SectionedList.Section, indexTitle: String) {
    self.section = section
    self.indexTitle = indexTitle
  }

  /// The text of the section key path's value; "" for nil.
  public var name: String { section.name }

  /// The number of objects.
  public var numberOfObjects: Int { section.count }

  /// The objects, in order, in a new array.
  public var objects: [Object] { unsafe unsafeBitCast(section.objects, to: [Object].self) }
}
