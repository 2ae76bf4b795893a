import CFloors

extension FloorStore {
  func fillWorkers(_ rows: Int64) throws { try check(floor_fill_workers(handle, rows)) }
  func joinWorkers() throws -> Answer { try answer(floor_join_workers) }
}
