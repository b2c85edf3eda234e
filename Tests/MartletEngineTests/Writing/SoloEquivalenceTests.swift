/// The promise of group commit as a property: in company each request gets what it would have got alone.
import MartletAST
import MartletTestSupport
import Testing

@testable import MartletEngine

@Suite struct SoloEquivalenceTests {
  @Test(arguments: 0..<24, [false, true])
  func `a group's answers are those of the same requests one by one`(seed: Int, isProven: Bool) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let requests = (0..<Int.random(in: 2...24, using: &random)).map { _ in ShopRequest.random(&random) }

    let alone = try Shop()
    let expected = requests.map { request in
      let token = request.start(in: alone)
      _ = alone.sink.outcome(of: token)
      return request.answers(token, in: alone)
    }

    let grouped = try Shop()
    if isProven { try grouped.prove() }
    var tokens: [RequestToken] = []
    grouped.together { for request in requests { tokens.append(request.start(in: grouped)) } }
    for (index, token) in tokens.enumerated() {
      _ = grouped.sink.outcome(of: token)
      let answers = requests[index].answers(token, in: grouped)
      #expect(answers == expected[index], "request \(index) of seed \(seed): \(requests[index])")
    }
    #expect(try grouped.base.run(Shop.items).rows == alone.base.run(Shop.items).rows)
    let children = Trees.select(["id", "parent"], from: "child")
    #expect(try grouped.base.run(children).rows == alone.base.run(children).rows)
  }
}
