/// What a load run measured, and how it is printed.
///
/// Always true: the JSON has exactly the keys of `jsonKeys`, in that order, whether the run ended well or its server
/// died.
struct BenchReport: Equatable {
  static let jsonKeys = [
    "workload", "connections", "pipeline", "seconds", "operations", "errors", "ops_per_second", "rows_per_second",
    "p50_us", "p99_us", "p999_us",
  ]

  var workload: String
  var connections: Int
  var pipeline: Int
  var seconds: Double
  /// Requests that were acknowledged.
  var operations: Int
  var errors: Int
  /// Rows read, or written if the workload writes.
  var rows: Int
  /// Microseconds.
  var median: Double
  var percentile99: Double
  var percentile999: Double

  var operationsPerSecond: Double { seconds > 0 ? Double(operations) / seconds : 0 }
  var rowsPerSecond: Double { seconds > 0 ? Double(rows) / seconds : 0 }

  /// The report as one line of JSON.
  var json: String {
    var name: [UInt8] = []
    JSONPrinter.append(text: Array(workload.utf8), to: &name)
    let values = [
      String(decoding: name, as: UTF8.self), String(connections), String(pipeline), Self.fixed(seconds, 3),
      String(operations), String(errors), Self.fixed(operationsPerSecond, 1), Self.fixed(rowsPerSecond, 1),
      Self.fixed(median, 1), Self.fixed(percentile99, 1), Self.fixed(percentile999, 1),
    ]
    return "{" + zip(Self.jsonKeys, values).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  var text: String {
    let shape = "\(connections) \(connections == 1 ? "connection" : "connections")"
    return """
      \(workload): \(shape), pipeline \(pipeline), \(Self.fixed(seconds, 1)) s
        operations  \(Count.grouped(operations)) (\(Count.grouped(Int(operationsPerSecond)))/s)
        rows        \(Count.grouped(rows)) (\(Count.grouped(Int(rowsPerSecond)))/s)
        errors      \(Count.grouped(errors))
        latency     p50 \(Self.fixed(median, 0)) µs   p99 \(Self.fixed(percentile99, 0)) µs   \
      p99.9 \(Self.fixed(percentile999, 0)) µs
      """
  }

  /// A number with `digits` decimals, without a locale.
  static func fixed(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "0" }
    var scale = 1
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value.magnitude * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(scaled) }
    let fraction = String(scaled % scale)
    return "\(sign)\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
