import Histogram

/// What a load run, or one loop of it, counted.
///
/// Always true: an operation is counted when its acknowledgement has been read; a request whose answer never came is an
/// error.
struct LoadResult: Sendable {
  /// Nanoseconds from writing a request to reading its acknowledgement, up to an hour.
  var latencies = Histogram<UInt64>(highestTrackableValue: 3_600_000_000_000, numberOfSignificantValueDigits: .three)
  var operations = 0
  var errors = 0
  var rows = 0
  var connectionsLost = 0
  /// The first error's message.
  var complaint: String?
  var startNanoseconds: UInt64 = .max
  var endNanoseconds: UInt64 = 0

  mutating func merge(_ other: LoadResult) {
    latencies.add(other.latencies)
    operations += other.operations
    errors += other.errors
    rows += other.rows
    connectionsLost += other.connectionsLost
    complaint = complaint ?? other.complaint
    startNanoseconds = min(startNanoseconds, other.startNanoseconds)
    endNanoseconds = max(endNanoseconds, other.endNanoseconds)
  }

  func report(workload: String, connections: Int, pipeline: Int) -> BenchReport {
    let nanoseconds = endNanoseconds > startNanoseconds ? endNanoseconds - startNanoseconds : 0
    func percentile(_ value: Double) -> Double {
      operations == 0 ? 0 : Double(latencies.valueAtPercentile(value)) / 1_000
    }
    return BenchReport(
      workload: workload, connections: connections, pipeline: pipeline, seconds: Double(nanoseconds) / 1e9,
      operations: operations, errors: errors, rows: rows, median: percentile(50), percentile99: percentile(99),
      percentile999: percentile(99.9))
  }
}
