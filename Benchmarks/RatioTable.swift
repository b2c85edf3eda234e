/// The table that a run prints: figures, and their ratios beside the targets.
///
/// Always true: a figure is the median of its rounds, and the two sides of a ratio were measured in turn in one run.
import Foundation

struct RatioTable {
  struct Ratio {
    let name: String
    let left: String
    let right: String
    let target: Double
  }

  private var rounds: [String: [Double]] = [:]
  private var order: [String] = []

  mutating func record(_ figure: String, _ value: Double) {
    if rounds[figure] == nil { order.append(figure) }
    rounds[figure, default: []].append(value)
  }

  func median(_ figure: String) -> Double {
    let sorted = (rounds[figure] ?? []).sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
  }

  func print(ratios: [Ratio]) {
    Swift.print("\n| figure | per second | least | most |")
    Swift.print("|---|---:|---:|---:|")
    for figure in order {
      let values = (rounds[figure] ?? []).sorted()
      Swift.print(
        "| \(figure) | \(whole(median(figure))) | \(whole(values.first ?? .nan)) | \(whole(values.last ?? .nan)) |")
    }
    Swift.print("\n| ratio | measured | target | |")
    Swift.print("|---|---:|---:|---|")
    for ratio in ratios {
      let value = median(ratio.left) / median(ratio.right)
      let verdict = value >= ratio.target ? "met" : "**missed**"
      Swift.print(
        "| \(ratio.name) | \(String(format: "%.2f", value)) × | \(String(format: "%.2f", ratio.target)) × | \(verdict) |"
      )
    }
  }

  private func whole(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    var digits = String(Int(value.rounded()))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
      index -= 3
    }
    return digits
  }
}
