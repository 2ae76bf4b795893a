import CFloors

extension FloorStore {
  func halveNumbers() throws { try check(floor_halve_numbers(handle)) }
  func setHalf(to value: Int64) throws { try check(floor_set_half(handle, value)) }
  func raiseHalf() throws { try check(floor_raise_half(handle)) }
  func deleteHalf() throws { try check(floor_delete_half(handle)) }
}
