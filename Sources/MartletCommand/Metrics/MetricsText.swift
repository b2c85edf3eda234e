import MartletValues

/// A server's numbers in Prometheus's text format, version 0.0.4.
///
/// Always true: names begin with `martlet_`; what only grows ends in `_total`; times are in seconds, sizes in bytes.
enum MetricsText {
  /// The bounds of the histograms that are exported, in seconds. Each counts what a finer range of the server's ends
  /// below it.
  static let boundsUs: [UInt64] = [
    25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    10_000_000, 30_000_000,
  ]

  static func text(
    counters: [(name: String, value: Int64)], latencies: [LatencyCounts], version: String, isReady: Bool
  ) -> String {
    var text = ""
    write(&text, "martlet_build_info", "gauge", "The server's version.", "{version=\"\(escaped(version))\"} 1")
    write(
      &text, "martlet_ready", "gauge", "1 while the server serves and no thread of it is stuck.", " \(isReady ? 1 : 0)")
    for (name, value) in counters {
      let words = ServerCounterNames.meaning(of: name)
      let help = "The server's counter \(name)" + (words.isEmpty ? "." : ": \(words).")
      if ServerCounterNames.isGauge(name) {
        write(&text, "martlet_" + name, "gauge", help, " \(value)")
      } else {
        write(&text, "martlet_\(name)_total", "counter", help, " \(value)")
      }
    }
    let name = "martlet_request_duration_seconds"
    text += "# HELP \(name) From the arrival of a request to its answer, by kind.\n# TYPE \(name) histogram\n"
    for counts in latencies { histogram(&text, name, counts) }
    return text
  }

  private static func write(_ text: inout String, _ name: String, _ type: String, _ help: String, _ sample: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name)\(sample)\n"
  }

  private static func histogram(_ text: inout String, _ name: String, _ counts: LatencyCounts) {
    let kind = "kind=\"\(escaped(counts.kind))\""
    var next = 0
    var sum: UInt64 = 0
    for bound in boundsUs {
      while next < counts.boundsUs.count, counts.boundsUs[next] <= bound {
        sum += counts.counts[next]
        next += 1
      }
      text += "\(name)_bucket{\(kind),le=\"\(seconds(bound))\"} \(sum)\n"
    }
    let total = counts.count
    text += "\(name)_bucket{\(kind),le=\"+Inf\"} \(total)\n"
    text += "\(name)_sum{\(kind)} \(Double(counts.microseconds) / 1_000_000)\n\(name)_count{\(kind)} \(total)\n"
  }

  private static func seconds(_ us: UInt64) -> String { "\(Double(us) / 1_000_000)" }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
