/// What `martlet bench` is asked for: requests of one workload, or the transactions of TPC-B.
enum BenchLoad: Equatable, Sendable {
  case requests(Workload)
  case tpcb

  init?(name: String) {
    if name == Self.tpcb.name {
      self = .tpcb
    } else if let workload = Workload(rawValue: name) {
      self = .requests(workload)
    } else {
      return nil
    }
  }

  static let all = Workload.allCases.map { BenchLoad.requests($0) } + [.tpcb]

  var name: String {
    switch self {
    case .requests(let workload): workload.rawValue
    case .tpcb: "tpcb"
    }
  }

  var summary: String {
    switch self {
    case .requests(let workload): workload.summary
    case .tpcb: "a bank's transactions: three updates, a select and an insert, from the Swift client"
    }
  }

  /// One line each, for the help text.
  static var list: String {
    all.map { "  " + $0.name + String(repeating: " ", count: 13 - $0.name.count) + $0.summary }.joined(separator: "\n")
  }
}
