/// Random requests to a shop, with everything that a client can see of their answers.
import MartletTestSupport
import MartletValues

@testable import MartletEngine

enum ShopRequest {
  case statement([UInt8], [Value])
  case batch([StatementStep], isAtomic: Bool)

  /// What a client can see of an answer, without the number of the commit, which company changes.
  struct Answer: Equatable {
    var rowsChanged: Int64?
    var lastInsertRowID: Int64?
    var rowsReturned: Int64?
    var isSkipped: Bool?
    var code: RequestError.Code?
    var reason: RequestError.Reason?
    var rows: [[Value]]

    init(_ outcome: CollectingSink.Outcome) {
      rowsChanged = outcome.completion?.rowsChanged
      lastInsertRowID = outcome.completion?.lastInsertRowID
      rowsReturned = outcome.completion?.rowsReturned
      isSkipped = outcome.completion?.isSkipped
      code = outcome.error?.code
      reason = outcome.error?.reason
      rows = outcome.rows
    }
  }

  func start(in shop: Shop) -> RequestToken {
    switch self {
    case .statement(let statement, let parameters): return shop.start(statement, parameters).token
    case .batch(let steps, let isAtomic):
      let token = shop.sink.token()
      _ = shop.database.start(BatchRequest(steps: steps, isAtomic: isAtomic), token: token, sink: shop.sink)
      return token
    }
  }

  /// Its own answer and those of its steps, when it has ended.
  func answers(_ token: RequestToken, in shop: Shop) -> [Answer] {
    var answers = [Answer(shop.sink.outcome(of: token))]
    guard case .batch(let steps, _) = self else { return answers }
    for step in steps.indices {
      let stepToken = RequestToken(session: token.session, request: token.request, step: UInt32(step + 1))
      answers.append(Answer(shop.sink.outcome(of: stepToken)))
    }
    return answers
  }

  static func random(_ random: inout SeededGenerator) -> ShopRequest {
    guard Int.random(in: 0..<4, using: &random) == 0 else {
      let (statement, parameters) = statement(&random)
      return .statement(statement, parameters)
    }
    var steps: [StatementStep] = []
    for index in 0..<Int.random(in: 1...5, using: &random) {
      let (bytes, values) = statement(&random)
      var step = StatementStep(source: .statement(bytes), parameters: values.map { .value($0) })
      if index > 0, Bool.random(using: &random) {
        let outcomes: [StepCondition.Outcome] = [.succeeded, .failed, .changedRows, .returnedRows]
        let outcome = outcomes[Int.random(in: 0..<outcomes.count, using: &random)]
        step.conditions = [.init(step: Int.random(in: 1...index, using: &random), outcome)]
      }
      steps.append(step)
    }
    return .batch(steps, isAtomic: Bool.random(using: &random))
  }

  static func statement(_ random: inout SeededGenerator) -> ([UInt8], [Value]) {
    func id() -> Value { .integer(Int64.random(in: 1...8, using: &random)) }
    func name() -> Value { .text("n\(Int.random(in: 1...6, using: &random))") }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2: return (Shop.insertItem, [id(), name(), .integer(Int64.random(in: -1...3, using: &random))])
    case 3: return (Shop.insertItemOrRollback, [id(), name(), 1])
    case 4: return (Shop.insertItemOrIgnore, [id(), name(), 1])
    case 5, 6: return (Shop.addQuantity, [.integer(Int64.random(in: -2...2, using: &random)), id()])
    case 7: return (Shop.insertParent, [id()])
    case 8, 9: return (Shop.insertChild, [id(), id()])
    case 10: return (Shop.insertPoison, [1])
    default: return (Trees.delete("item", where: "id"), [id()])
    }
  }
}
