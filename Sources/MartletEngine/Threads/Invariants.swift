/// How the pure machines look after themselves in debug builds.
///
/// Always true: what is checked after each event costs about as much as the event; what has to look at everybody is
/// checked only while there are few.
enum Invariants {
  /// So many are counted one by one.
  static let countedMax = 64
}
