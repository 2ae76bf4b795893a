import CFloors

extension FloorStore {
  func fillOrders(_ rows: Int64) throws { try check(floor_fill_orders(handle, rows)) }
  func fetchOrders() throws -> Answer { try answer(floor_fetch_orders) }
}
