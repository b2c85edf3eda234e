/// What connections ask of the files of this package's own file system, beside what SQLite asks of any.
///
/// Always true: the numbers are above 100, so that SQLite has no use for them.
enum PageFileRequest {
  /// Stores the number of the last page whose checksum did not hold, and forgets it.
  static let takeDamagedPage: Int32 = 62_781
  /// Whether pages are compared when they are read.
  static let setVerifies: Int32 = 62_782
}
