/// The write sessions of a save, one for each store that it writes: transactions of its own, or savepoints of the
/// transaction that the context takes part in.
struct SaveSessions {
  private let steps: [(part: SaveRequestBuilder, session: any WriteSession)]
  /// Whether the context takes part in a transaction.
  let isNested: Bool

  /// Begins on every store, in the order in which they were added.
  ///
  /// - Throws: what beginning one throws; none is open then.
  init(_ parts: [SaveRequestBuilder], in transaction: StoreTransaction?) throws {
    isNested = transaction != nil
    var begun: [(part: SaveRequestBuilder, session: any WriteSession)] = []
    do {
      for part in parts {
        let session = try transaction?.writing(part.mount) ?? part.mount.store.beginWriting(isShared: false)
        if transaction != nil { try session.setSavepoint() }
        begun.append((part, session))
      }
    } catch {
      for (_, session) in begun { Self.takeBack(session, isNested: transaction != nil) }
      throw error
    }
    steps = begun
  }

  /// Writes to all stores; a failure takes everything back.
  func write() throws {
    do {
      for (part, session) in steps {
        do { try part.write(session) } catch { throw part.named(error) }
      }
    } catch {
      takeBack(from: 0)
      throw error
    }
  }

  /// Makes everything durable, or a part of the transaction, store by store.
  ///
  /// - Returns: Those that have it, and what kept the next one from it. What was not committed is taken back.
  func end() -> (written: [SaveRequestBuilder], failure: (any Error)?) {
    for (position, step) in steps.enumerated() {
      do {
        if isNested { try step.session.releaseSavepoint() } else { try step.session.commit() }
      } catch {
        takeBack(from: position)
        return (steps[..<position].map(\.part), step.part.named(error))
      }
    }
    return (steps.map(\.part), nil)
  }

  private func takeBack(from position: Int) {
    for (part, session) in steps[position...] {
      part.discard()
      Self.takeBack(session, isNested: isNested)
    }
  }

  private static func takeBack(_ session: any WriteSession, isNested: Bool) {
    if isNested { try? session.rollbackToSavepoint() } else { try? session.rollback() }
  }
}

extension PersistentStoreCoordinator {
  /// The failure of a save of which some stores have their part and others have not (STO-132).
  func incompleteSave(written: [Mount], unwritten: [Mount], _ cause: any Error) -> GraphStoreError {
    let lists = (written.map(\.store.path), unwritten.map(\.store.path))
    var error = GraphStoreError(
      .incompleteSave,
      "The save reached \(lists.0.joined(separator: ", ")), but not \(lists.1.joined(separator: ", ")).",
      remedy:
        "Changes to objects of the stores that were not written are still there: save again once the cause is "
        + "gone.",
      underlying: cause)
    error.details =
      lists.0.map { "written: \($0)" } + lists.1.map { "not written: \($0)" } + ["because: \(cause)"]
    error.writtenStores = written.map(reference)
    error.unwrittenStores = unwritten.map(reference)
    return error
  }
}
