/// Who is let in with which token or as which user, and until when.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RoleIdentityTests {
  @Test func `a token is asked for, and everything that is none is refused in one sentence after the same time`() throws
  {
    let roles = try RoleServer([RoleServer.admin])
    let token = try roles.token("admin")
    let (_, error) = try roles.hello(token)
    #expect(error == nil)
    let last = token.last == "A" ? "E" : "A"
    let wrong = [
      "", "x", String(token.dropLast()), token + "A", String(token.dropLast()) + last, token.uppercased(),
      "mlt_aaaaaaaaaaaa_" + String(repeating: "A", count: 43), String(repeating: "a", count: 5_000),
    ]
    for text in wrong {
      let begun = ContinuousClock.now
      let (client, refusal) = try roles.hello(text)
      #expect(refusal == RequestError.unknownIdentity, "\(text.prefix(20))")
      #expect(ContinuousClock.now - begun >= .milliseconds(AccessLimits.firstRefusalMs))
      #expect(try client.receiveUntilClosed().isEmpty)
    }
    #expect(roles.live.counter("identities_refused") == Int64(wrong.count))
    #expect(roles.live.counter("closed_unidentified") >= 1)
    // Others from there are not kept out, only those who are refused wait.
    #expect(try roles.hello(token).1 == nil)
  }

  @Test func `a session ends with its token's time, and what is in flight ends first`() throws {
    let roles = try RoleServer([RoleServer.admin])
    let token = try roles.token("admin", expires: Date(timeIntervalSinceNow: 10))
    let (client, refused) = try roles.hello(token)
    #expect(refused == nil)
    client.send(5, .request(.begin(.read)))
    #expect(try client.answer(5).error == nil)
    let message = try client.receive()
    #expect(message.parts == [.closing(DrainCause.identityEnded.sentence)])
    client.send(6, .request(.ping()))
    #expect(try client.receive().parts.first == .pong([]))
    client.send(7, .request(.finish(transaction: 5, commit: false)))
    #expect(try client.answer(7).error == nil)
    #expect(try client.receiveUntilClosed().isEmpty)
    #expect(try roles.hello(token).1 == RequestError.unknownIdentity)
  }

  @Test func `a user of this machine has the role of his number, and others what the file says of them`() throws {
    let live = try LiveServer(loops: 1) { configuration, _ in
      configuration.access.roles = ["me": Role(name: "me", permissions: [.select, .create])]
      configuration.access.users = [getuid(): "me"]
      configuration.access.others = .refused
    }
    let client = try RawClient(live.unix, database: "shop")
    client.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
    #expect(try client.answer(2).error?.reason == .permission)
    let other = try RawClient(live.tcp)
    other.send(1, .hello(.init(database: "shop")))
    #expect(try other.receive().parts.first == .error(RequestError.unknownIdentity))
  }
}
