public import NIOCore

/// How a remote database connects, waits and buffers.
///
/// Always true: every queue that these numbers describe is bounded; times are `Duration`, sizes are bytes.
public struct ClientConfiguration: Sendable {
  /// Connections that may be open at once. More requests than they take wait in line.
  public var connectionsMax = 8

  /// Requests in flight on one connection before another is opened. If no other may be opened, it is the most on each.
  /// The server's own limit holds too.
  public var pipelineDepth = 32

  /// Transactions that are open at once on one connection; the server's default limit is 8.
  public var transactionsPerConnectionMax = 4

  /// Requests that may wait for a connection. One more fails at once.
  public var waitingMax = 10_000

  /// How long one attempt to connect and say hello may take.
  public var connectTimeout = Duration.seconds(5)

  /// Attempts in a row that may fail before the requests that wait fail too.
  public var connectAttemptsMax = 3

  /// The pause after the first failed attempt; it doubles up to `backoffMax`, and each is shortened at random by up
  /// to a half, so that many clients do not come back at the same moment.
  public var backoffFirst = Duration.milliseconds(50)
  public var backoffMax = Duration.seconds(2)

  /// How many times a read is sent again if the server ended its snapshot to make room, as long as none of its rows
  /// have come and its deadline has not passed. `backoffFirst` is the pause before the first time; it doubles up to
  /// `backoffMax`.
  public var readRepeatsMax = 3

  /// The deadline of a request that states none and stands under no `withDeadline`, if it is no query, which has
  /// `streamDeadline`. Outside of a transaction what may write has `writeDeadline` if that is shorter.
  public var requestDeadline = Duration.seconds(5)

  /// The deadline of a statement or batch that may write, outside of a transaction, and states none. All writes
  /// of a database wait for one another, so it is shorter than a query's.
  public var writeDeadline = Duration.seconds(5)

  /// The deadline of a query whose rows are streamed or fetched, from its start to its last row.
  public var streamDeadline = Duration.seconds(600)

  /// How long after its deadline a request waits for the server to say so itself.
  public var replyGrace = Duration.seconds(1)

  /// Bytes of rows that the server may send ahead of the consumer of a stream.
  public var streamWindowBytes = 1 << 20

  /// Make the database if it does not exist.
  public var createsDatabase = false

  /// Shapes whose ids and result metadata a connection remembers.
  public var shapesMax = 1_024

  /// Temporary views and triggers that every connection has, in their order: `CREATE TEMPORARY VIEW` and `CREATE
  /// TEMPORARY TRIGGER`, at most 100. They are seen by this database object's requests only, and declared again by
  /// themselves when a connection is lost. A trigger whose table does not exist yet is made as soon as it does.
  public var setup: [RemoteStatement] = []

  /// Notes the shapes of all statements that are sent; nil: nobody does.
  public var recorder: ShapeRecorder?

  /// A name for the server's log.
  public var clientName = "martlet-swift"

  /// How servers at `martlet+tls://` are verified, and what this client shows them.
  public var tls = ClientTLS()

  /// The token of each hello; nil: none. It is sent over TLS, over Unix sockets and to this machine's own addresses.
  public var credential: ClientCredential?

  /// Send the credential to other machines without TLS too. Everyone on the way can then read it and use it.
  public var allowsCredentialInClear = false

  /// Where the sockets live; the process's shared group by default.
  public var eventLoopGroup: (any EventLoopGroup)?

  /// The longest frame that is taken from a server: a row may be larger than the frames that a server takes.
  package static let frameBytesMax = 64 << 20

  public init() {}

  public init(createsDatabase: Bool) { self.createsDatabase = createsDatabase }
}
