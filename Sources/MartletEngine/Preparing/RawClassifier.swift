import MartletAST
import MartletSQLite
import MartletValues
import Synchronization

/// Asks SQLite whether raw text writes, on a read-only connection of its own.
///
/// Always true: an event loop gets its answer within a moment or not at all. For a session with a setup it gets none,
/// because the connection may have to be opened first.
final class RawClassifier: Sendable {
  private struct State {
    var connection: Connection?
    var isClosed = false
  }

  private let path: String
  private let files: DatabaseFiles?
  private let setup: ConnectionSetup
  private let clock: @Sendable () -> MonotonicTime
  private let script: SetupScript
  /// The classifiers of the database's setups, which have few connections together; nil without a setup.
  private let others: OpenClassifiers?
  /// The connection for event loops, which must not wait while the other one judges something long.
  private let state = Mutex(State())
  private let patientState = Mutex(State())
  private let impatientMicroseconds: Int

  init(
    path: String, files: DatabaseFiles? = nil, limits: Limits, clock: @escaping @Sendable () -> MonotonicTime,
    script: SetupScript = .empty, others: OpenClassifiers? = nil
  ) {
    impatientMicroseconds = limits.inlineStopMicroseconds
    self.path = path
    self.files = files
    self.script = script
    self.others = others
    self.setup = ConnectionSetup(limits: limits)
    self.clock = clock
  }

  /// Opens the classifier's connection now, if it is not closed. Throws what SQLite says to the setup.
  func open() throws(RequestError) {
    let outcome = patientState.withLock { state in
      Result { () throws(RequestError) -> Bool in
        guard !state.isClosed else { return false }
        state.connection = try makeConnection(isPatient: true)
        return true
      }
    }
    if try outcome.get() { noteOpened() }
  }

  private func noteOpened() {
    others?.opened(self)
    // If this classifier was closed meanwhile, the others were told so before they were told of the opening.
    if patientState.withLock({ $0.isClosed }) { others?.closed(self) }
  }

  private func makeConnection(isPatient: Bool) throws(RequestError) -> Connection {
    var setup = setup
    if !isPatient {
      setup.compileMicrosecondsMax = impatientMicroseconds
      setup.boundsSchemaReading = true
    }
    let connection: Connection
    do throws(SQLiteError) {
      let clock = clock
      connection = try Connection(
        reading: path, files: files, label: "planner", setup: setup, clock: { clock().nanoseconds })
    } catch {
      throw files?.explainedReading(error) ?? RequestError(error)
    }
    try script.apply(to: connection)
    return connection
  }

  enum Judgement {
    case readOnly(Bool)
    /// SQLite cannot compile the text (for now: a table may yet be made).
    case unknown
    /// The judgement takes longer than the caller may wait.
    case tooComplex
  }

  /// An event loop is never patient.
  func judge(_ sql: String, isPatient: Bool) -> Judgement {
    guard isPatient else {
      return script.isEmpty ? state.withLock { judge(sql, &$0, isPatient: false) } : .tooComplex
    }
    let (judgement, hasOpened) = patientState.withLock { state in
      let wasOpen = state.connection != nil
      return (judge(sql, &state, isPatient: true), !wasOpen && state.connection != nil)
    }
    if hasOpened { noteOpened() }
    return judgement
  }

  private func judge(_ sql: String, _ state: inout State, isPatient: Bool) -> Judgement {
    guard !state.isClosed else { return .unknown }
    if state.connection == nil { state.connection = try? makeConnection(isPatient: isPatient) }
    guard let connection = state.connection else { return .unknown }
    do throws(SQLiteError) {
      return .readOnly(try connection.prepare(sql).isQuery)
    } catch {
      return [SQLiteCode.tooComplex, SQLiteCode.schemaTooLong].contains(error.extendedCode) ? .tooComplex : .unknown
    }
  }

  /// Other setups need this one's connection; it opens another when it has to judge again.
  func cool() { patientState.withLock { $0.connection = nil } }

  func close() {
    state.withLock { $0 = State(isClosed: true) }
    patientState.withLock { $0 = State(isClosed: true) }
    others?.closed(self)
  }
}

/// The classifiers of one database's setups that have a connection.
///
/// Always true: no more than `most` have one, but for those that are opening it now.
final class OpenClassifiers: Sendable {
  private let most: Int
  /// The classifiers with a connection. The one that was opened last is at the end.
  private let open = Mutex<[RawClassifier]>([])

  init(most: Int) { self.most = most }

  func opened(_ classifier: RawClassifier) {
    let dropped = open.withLock { open -> [RawClassifier] in
      open.removeAll { $0 === classifier }
      open.append(classifier)
      defer { open.removeFirst(max(0, open.count - most)) }
      return Array(open.prefix(max(0, open.count - most)))
    }
    for classifier in dropped { classifier.cool() }
  }

  func closed(_ classifier: RawClassifier) { open.withLock { open in open.removeAll { $0 === classifier } } }
}
