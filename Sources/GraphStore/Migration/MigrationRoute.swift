import GraphStoreModel

/// Steps from the version of a store to the wanted one, with what they leave behind.
struct MigrationRoute {
  private(set) var steps: [MigrationStep]
  private(set) var losses: [MigrationLoss]
  /// The way that is not taken; nil where there is none, or none that leaves another amount behind.
  private(set) var alternative: MigrationAlternative?
  /// The way version by version.
  private let chain: (steps: [MigrationStep], losses: [MigrationLoss])
  private let stored: StoredVersion
  private let path: String
  private let survey: ([MigrationStep]) -> MigrationSurvey

  /// Finds the way that leaves the least behind (MIG-045).
  ///
  /// Written mappings stay on it. Where several inferred steps follow each other, one direct step replaces
  /// them where that keeps more: an attribute that a version between lacks keeps its values.
  init(
    _ planner: MigrationPlanner, over store: SurveyedStore, isStepByStep: Bool, timeout: Duration
  ) throws {
    let chain = try planner.chain()
    (path, stored) = (planner.path, planner.stored)
    survey = { [stored] steps in
      MigrationSurvey(store: store, stored: stored, steps: steps, timeout: timeout)
    }
    steps = chain.steps
    losses = try survey(chain.steps).losses()
    self.chain = (steps, losses)
    if !chain.refusals.isEmpty {
      alternative = MigrationAlternative(
        isStepByStep: true, steps: [], losses: [], refusals: chain.refusals)
    }
    // From the end on, so that the positions of earlier stretches stay.
    for stretch in Self.stretches(of: steps).reversed() { try shorten(stretch) }
    if isStepByStep { returnToChain() }
  }

  /// Goes at once over a stretch of inferred steps where that leaves less behind.
  private mutating func shorten(_ stretch: Range<Int>) throws {
    guard amount(of: losses) > (0, 0) else { return }
    let (first, last) = (steps[stretch.lowerBound].source, steps[stretch.upperBound - 1].destination)
    guard
      let step = try? MigrationStep(
        from: first, to: last, through: Self.models(between: steps[stretch]),
        configuration: stored.configuration)
    else { return }
    let shorter = steps[..<stretch.lowerBound] + [step] + steps[stretch.upperBound...]
    let shorterLosses = try survey(Array(shorter)).losses()
    let (present, other) = (amount(of: losses), amount(of: shorterLosses))
    guard present != other else { return }
    // Data that versions between would have left behind may break a rule of the last one.
    let findings = other < present && stretch.lowerBound == 0 ? try survey(Array(shorter)).findings() : []
    if !findings.isEmpty {
      alternative = MigrationAlternative(
        isStepByStep: false, steps: Array(shorter), losses: shorterLosses,
        refusals: [GraphStoreError.migration(findings, path: path)])
    } else if other < present {
      alternative = MigrationAlternative(
        isStepByStep: true, steps: chain.steps, losses: chain.losses, refusals: [])
      (steps, losses) = (Array(shorter), shorterLosses)
    } else if alternative == nil {
      alternative = MigrationAlternative(
        isStepByStep: false, steps: Array(shorter), losses: shorterLosses, refusals: [])
    }
  }

  /// Takes the way version by version after all, as asked; the one that leaves less behind is reported.
  private mutating func returnToChain() {
    guard let other = alternative, other.isStepByStep, other.refusals.isEmpty else { return }
    alternative = MigrationAlternative(
      isStepByStep: false, keepsMore: true, steps: steps, losses: losses, refusals: [])
    (steps, losses) = (chain.steps, chain.losses)
  }

  /// The amount of losses: objects that lose something, each as often as it does, then the number of losses.
  ///
  /// Without a written mapping, data that the store cannot count were added on the way, and none of the
  /// store's are among them.
  private func amount(of losses: [MigrationLoss]) -> (objects: Int, places: Int) {
    let isInferred = chain.steps.allSatisfy { $0.kind == .inferred }
    let concerned = losses.filter { $0.count != 0 && !(isInferred && $0.count == nil) }
    return (concerned.reduce(0) { $0 + ($1.count ?? 1) }, concerned.count)
  }

  /// The ranges of two or more consecutive inferred steps.
  private static func stretches(of steps: [MigrationStep]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    for position in 0...steps.count where position == steps.count || steps[position].kind == .written {
      if position - start > 1 { found.append(start..<position) }
      start = position + 1
    }
    return found
  }

  /// The models between the first and the last of some steps.
  private static func models(between steps: ArraySlice<MigrationStep>) -> [ManagedObjectModel] {
    var models: [ManagedObjectModel] = []
    for (step, next) in zip(steps, steps.dropFirst()) {
      models.append(step.destination.model)
      if step.destination.model !== next.source.model { models.append(next.source.model) }
    }
    return models
  }
}
