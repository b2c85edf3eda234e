/// A shop that somebody follows.
import Foundation
import MartletSQLite
import MartletTestSupport
import MartletValues
import Synchronization

@testable import MartletEngine

struct FollowedShop {
  let shop: Shop
  let follower: CommitSubscription

  init(_ shop: Shop, queueMax: Int = 100, wantsLog: Bool = false) {
    self.shop = shop
    follower = shop.database.subscribe(queueMax: queueMax, wantsLog: wantsLog) {}
  }

  /// What each commit since the last call wrote: the names of its tables, `*` for everything.
  func written() -> [[String]] { follower.take().commits.map { Self.names($0.tables) } }

  static func names(_ tables: TableSet) -> [String] {
    tables.isEverything
      ? ["*"] : tables.names.map { $0.schema == "main" ? $0.name : "\($0.schema).\($0.name)" }.sorted()
  }
}

/// An interactive transaction with calls that wait for their answer.
struct OpenTransaction {
  let database: Database
  let sink = CollectingSink()
  let transaction: Transaction

  init(_ database: Database) {
    self.database = database
    let begin = sink.token()
    transaction = database.begin(.write, deadline: .distantFuture, token: begin, sink: sink)
    _ = sink.outcome(of: begin)
  }

  @discardableResult
  func run(_ statement: [UInt8], _ parameters: [Value] = []) -> CollectingSink.Outcome {
    let token = sink.token()
    let request = StatementRequest(source: .statement(statement), parameters: parameters)
    _ = transaction.start(request, token: token, sink: sink)
    return sink.outcome(of: token)
  }

  @discardableResult
  func savepoint(_ action: SavepointAction, _ number: UInt32) -> CollectingSink.Outcome {
    let token = sink.token()
    transaction.savepoint(action, number: number, token: token, sink: sink)
    return sink.outcome(of: token)
  }

  @discardableResult
  func batch(_ steps: [StatementStep], isAtomic: Bool) -> CollectingSink.Outcome {
    let token = sink.token()
    _ = transaction.start(BatchRequest(steps: steps, isAtomic: isAtomic), token: token, sink: sink)
    return sink.outcome(of: token)
  }

  @discardableResult
  func finish(commit: Bool) -> CollectingSink.Outcome {
    let token = sink.token()
    transaction.finish(commit: commit, token: token, sink: sink)
    return sink.outcome(of: token)
  }
}
