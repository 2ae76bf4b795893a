import CFloors

extension FloorStore {
  func fillPlaces(_ rows: Int64) throws { try check(floor_fill_places(handle, rows)) }
  func fillStaff(_ rows: Int64) throws { try check(floor_fill_staff(handle, rows)) }
}
