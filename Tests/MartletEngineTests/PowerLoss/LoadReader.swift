/// Reads beside a load, in each of the ways in which clients read, and remembers what it was told.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization

@testable import MartletEngine

/// Always true: the result of a read counts as told from the moment at which the engine handed it over.
final class LoadReader: Sendable {
  private let database: Database
  private let sink: LoadSink
  private let isEnding = Atomic<Bool>(false)
  private let isOver = DispatchSemaphore(value: 0)
  let reads = Atomic<Int>(0)
  /// Of those, the ones of a loop that were answered on the spot.
  let readsInline = Atomic<Int>(0)

  init(database: Database, sink: LoadSink) {
    self.database = database
    self.sink = sink
  }

  func start() {
    let thread = Thread { [self] in
      run()
      isOver.signal()
    }
    thread.start()
  }

  func end() {
    isEnding.store(true, ordering: .releasing)
    isOver.wait()
  }

  private func run() {
    guard let inline = try? database.makeInlineReader(label: "loop.0") else { return }
    var number = 0
    while !isEnding.load(ordering: .acquiring) {
      number += 1
      reads.add(1, ordering: .relaxed)
      switch number % 4 {
      case 0: readInBatch()
      case 1: readInTransaction()
      case 2: readOnPool()
      default: if !readInline(inline) { readOnPool() }
      }
      // A loop lets go of its snapshot when it is idle.
      if number % 3 == 0 { inline.endSnapshot() }
    }
    inline.endSnapshot()
  }

  private var request: StatementRequest { StatementRequest(source: .statement(EngineLoad.selectUnits)) }

  private func readInline(_ reader: InlineReader) -> Bool {
    var rows = RowBatch()
    var columns: ResultColumns?
    guard case .completed = reader.execute(request, rows: &rows, columns: &columns) else { return false }
    readsInline.add(1, ordering: .relaxed)
    sink.saw(rows)
    return true
  }

  private func readOnPool() {
    let token = sink.readToken()
    _ = database.start(request, token: token, sink: sink)
    sink.wait(token)
  }

  private func readInBatch() {
    let token = sink.readToken()
    // The rows come with the token of their step.
    sink.reading(RequestToken(session: token.session, request: token.request, step: 1))
    let step = StatementStep(source: .statement(EngineLoad.selectUnits))
    _ = database.start(BatchRequest(steps: [step], isAtomic: false), token: token, sink: sink)
    sink.wait(token)
  }

  private func readInTransaction() {
    let begin = sink.token()
    let transaction = database.begin(.read, deadline: .distantFuture, token: begin, sink: sink)
    let token = sink.readToken()
    _ = transaction.start(request, token: token, sink: sink)
    let end = sink.token()
    transaction.finish(commit: true, token: end, sink: sink)
    for token in [begin, token, end] { sink.wait(token) }
  }
}
