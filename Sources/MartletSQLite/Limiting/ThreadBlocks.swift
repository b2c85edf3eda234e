/// Bytes of SQLite's blocks below `SQLiteLimits.refusableBytesMin` that a thread took, less those that it gave back.
struct ThreadBlocks: Equatable {
  /// Of blocks below `SQLiteLimits.countedBytesMin`, which no number of the process counts.
  var small = 0
  var middle = 0
}
