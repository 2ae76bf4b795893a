/// Third pass: custom validation, the model's, the save (MIG-184, MIG-214).
extension MigrationRun {
  /// - Parameter isLast: Whether the destination is complete, so that the model's rules hold.
  func runThirdPass(_ works: [MappingWork], isLast: Bool) throws {
    for work in works {
      try calling("performCustomValidation(forMapping:manager:)", work) {
        try work.policy.performCustomValidation(forMapping: work.mapping, manager: manager)
      }
    }
    try commitBatch()
    if isLast { try DestinationValidator(self).validate() }
    for work in works {
      try calling("end(_:manager:)", work) { try work.policy.end(work.mapping, manager: manager) }
    }
    try commitBatch()
  }
}
