/// What `martlet bench` can put on a server.
///
/// Always true: each workload's requests are of the shapes that `BenchStatements` lists, so that a run prepares
/// nothing.
enum Workload: String, CaseIterable, Sendable {
  case ping
  case pointRead = "point-read"
  case scan
  case insert
  case bulkInsert = "bulk-insert"
  case upsert
  case mixed

  /// One line each, for the help text and for who asks for a workload that there is not.
  var summary: String {
    switch self {
    case .ping: "a message to the server and back, no database"
    case .pointRead: "one row of items by its key, six columns"
    case .scan: "every row of items, six columns"
    case .insert: "one row into inserts, a write of its own that shares its commit with others"
    case .bulkInsert: "\(BenchData.bulkRows) rows into bulk_items in one request and one commit"
    case .upsert: "one row of upserts made or counted up, a write of its own as well"
    case .mixed: "of ten requests eight point-reads, one insert and one upsert"
    }
  }

  var needsItems: Bool { self == .pointRead || self == .scan || self == .mixed }

  /// The kind of a connection's request number `number`; of the simple workloads always the same.
  func kind(number: UInt64) -> WorkloadKind {
    switch self {
    case .ping: .ping
    case .pointRead: .pointRead
    case .scan: .scan
    case .insert: .insert
    case .bulkInsert: .bulkInsert
    case .upsert: .upsert
    case .mixed:
      switch number % 10 {
      case 3: .insert
      case 7: .upsert
      default: .pointRead
      }
    }
  }
}

/// The kinds of requests that workloads are made of; each has one template.
enum WorkloadKind: Int, CaseIterable, Sendable {
  case ping, pointRead, scan, insert, bulkInsert, upsert
}
