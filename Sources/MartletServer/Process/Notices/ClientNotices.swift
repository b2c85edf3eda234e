internal import Logging
internal import MartletValues
internal import Synchronization

/// The lines of the log that clients can bring about, as often as they like.
///
/// Always true: at most a few of each kind are logged in an interval, and then how many more there were; what one kind
/// has too many of leaves no line out of another. What the server counts does not depend on it.
final class ClientNotices: Sendable {
  /// The raw value is the line's sentence.
  enum Kind: String, Sendable, CaseIterable {
    case handshakeFailed = "A connection's TLS failed"
    case plainText = "A client does not speak TLS at an address that does"
    case noFrame = "A connection sent no Martlet frame"
    case unknownIdentity = "A client is refused: what it shows is not valid here"
    case identityEnded = "A session ends: its identity is not valid any more"
    case databaseTaken = "A session ends: its role may not open its database any more, or not have its setup"
    case databasesChanged = "Databases were changed"
    /// What the engine says, which has sentences of its own.
    case engine = "The engine did something"
    case noReader = "No reader for a loop; its reads take the long way"
    case noDescriptor = "A connection was refused: the process has no file descriptor left"
    case cannotAccept = "No connection can be accepted for a moment"

    fileprivate var level: Logger.Level {
      switch self {
      case .noReader, .noDescriptor, .cannotAccept: .warning
      default: .notice
      }
    }
  }

  private let logger: Logger
  private let rates = Mutex<[Kind: NoticeRate]>([:])

  init(logger: Logger) { self.logger = logger }

  /// Logs it, or counts it. `sentence` is another one than the kind's.
  func note(
    _ kind: Kind, saying sentence: String? = nil, now: MonotonicTime = ServerClock.now,
    _ metadata: @autoclosure () -> Logger.Metadata
  ) {
    guard logger.logLevel <= kind.level else { return }
    let before = rates.withLock { $0[kind, default: Self.rate].arrived(now: now) }
    guard let before else { return }
    tell(before, of: kind)
    logger.log(level: kind.level, "\(sentence ?? kind.rawValue)", metadata: metadata())
  }

  /// Time has passed. Called every `ServerLimits.memoryLookMs` or so.
  func ticked(now: MonotonicTime) { tell { $0.ticked(now: now) } }

  /// The server ends, and nothing is logged any more.
  func ended() { tell { $0.takeLeftOut() } }

  private func tell(_ count: (inout NoticeRate) -> Int) {
    for kind in Kind.allCases {
      tell(rates.withLock { count(&$0[kind, default: Self.rate]) }, of: kind)
    }
  }

  private func tell(_ leftOut: Int, of kind: Kind) {
    guard leftOut > 0 else { return }
    logger.log(
      level: kind.level, "More of these happened than are logged",
      metadata: ["notice": "\(kind.rawValue)", "left_out": .number(leftOut)])
  }

  private static var rate: NoticeRate {
    NoticeRate(linesMax: ServerLimits.noticesMax, intervalMs: ServerLimits.noticeIntervalMs)
  }
}
