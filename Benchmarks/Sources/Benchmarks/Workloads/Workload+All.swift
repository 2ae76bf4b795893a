extension Workload {
  /// Every workload, in the order of the table.
  static func all(_ files: WorkFiles, _ programs: Programs) -> [Workload] {
    [
      .f1(files), .f2(files), .f3(files), .i1(files), .u1(files), .d1(files),
      .c1(files, programs), .c2(files, programs), .c3(files, programs),
    ]
  }
}
