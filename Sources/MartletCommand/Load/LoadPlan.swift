import MartletClient
import MartletLoop
import MartletTLS

/// What one loop of a load run has to do: which requests, on which connections, for how long.
///
/// Always true: everything that a request needs is in its template, so the loop neither encodes nor prepares.
struct LoadPlan: Sendable {
  struct Request: Sendable {
    /// The request by the statement's shape.
    var usual: RequestTemplate
    /// The request with the statement's bytes, for a server that answers that it does not know the shape.
    var full: RequestTemplate
    /// Rows that one acknowledged request writes; the rows of queries are counted as they come.
    var rowsWritten: Int
  }

  var workload: Workload
  var address: SocketAddress
  var database: String
  /// The token of each hello; empty: none.
  var credential = ""
  /// What encrypts the connections, and the host whose certificate is expected; nil: nothing does.
  var encryption: (context: TLSContext, host: String)?
  /// The numbers of this loop's connections among all of the run.
  var connections: Range<Int>
  var pipeline: Int
  var seconds: Double
  /// The requests by `WorkloadKind.rawValue`; nil if the workload does not send the kind.
  var requests: [Request?]
  /// The largest key of items.
  var itemCount: Int
  /// Tells the run's inserts from those of other runs.
  var run: UInt64
  /// Where the value of each acknowledged insert is written, a line each.
  var idsDescriptor: Int32?

  /// A row may be larger than the messages that a server takes.
  static let frameBytesMax = ClientConfiguration.frameBytesMax
}
