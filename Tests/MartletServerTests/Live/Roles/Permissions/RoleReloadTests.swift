/// What a reload of the roles changes for sessions that are there, and what it leaves.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RoleReloadTests {
  @Test
  func
    `a reload changes what sessions may do, and ends those that may not be here any more`()
    throws
  {
    let roles = try RoleServer([RoleServer.admin, Role(name: "app", permissions: .rows)])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
    #expect(try admin.answer(2).error == nil)
    let token = try roles.token("app")
    let (app, _) = try roles.hello(token, create: false)
    func run(_ id: UInt32) throws -> RequestError? {
      app.send(id, .execute(.init(source: .statement(RoleServer.insert.bytes))))
      return try app.answer(id).error
    }
    #expect(try run(2) == nil)
    try roles.reload { $0.roles["app"]?.grants[0].permissions = [.select] }
    #expect(try run(3)?.reason == .permission)
    try roles.reload()
    #expect(try run(4) == nil)
    // A policy that is wrong changes nothing.
    #expect(throws: ServerError.self) { try roles.reload { $0.users = [1: "nobody"] } }
    #expect(try run(5) == nil)
    try roles.reload { $0.roles["app"]?.grants[0].databases = [] }
    let last = try app.receiveUntilClosed()
    #expect(last.first?.parts == [.closing(DrainCause.databaseTaken.sentence)])
    try waitUntil { roles.live.counter("closed_database_taken") == 1 }
    try roles.reload()
    let (again, taken) = try roles.hello(token, create: false)
    #expect(taken == nil)
    let id = String(token.dropFirst(4).prefix(12))
    try roles.tokens.revoke(id)
    try roles.reload()
    #expect(try again.receiveUntilClosed().first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    #expect(try roles.hello(token, create: false).1 == RequestError.unknownIdentity)
    admin.send(9, .execute(.init(source: .statement(RoleServer.read.bytes))))
    #expect(try admin.answer(9).error == nil)
  }

  @Test func `a reload without a change ends nobody, and one that takes away what a setup does ends whoever has it`()
    throws
  {
    let shop = Role(
      name: "shop", databases: ["shop"].compactMap { DatabasePattern($0) }, permissions: [.rows, .inspect])
    let roles = try RoleServer([RoleServer.admin, shop])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
    #expect(try admin.answer(2).error == nil)
    let token = try roles.token("shop")
    let server = try RawClient(roles.live.tcp)
    server.send(1, .hello(.init(database: "", credential: token)))
    _ = try server.receive()
    let client = try RawClient(roles.live.tcp)
    let trigger = ASTStatement.createTrigger("x", .after, .insert, on: "t", [.delete(from: "t")]) {
      $0.temporary = true
    }
    client.send(1, .hello(.init(database: "shop", setup: [trigger.bytes], credential: token)))
    guard case .hello? = try client.receive().parts.first else {
      Issue.record("the setup is refused")
      return
    }
    try roles.reload()
    for session in [server, client] {
      session.send(2, .request(.ping()))
      #expect(try session.receive().parts.first == .pong([]))
    }
    try roles.reload { $0.roles["shop"]?.grants[0].permissions = [.insert, .inspect] }
    #expect(try client.receiveUntilClosed().first?.parts == [.closing(DrainCause.databaseTaken.sentence)])
    server.send(3, .request(.ping()))
    #expect(try server.receive().parts.first == .pong([]))
  }

  @Test func `whoever is revoked may end what he began, and do nothing more in it`() throws {
    let roles = try RoleServer([RoleServer.admin, Role(name: "app", permissions: .all)])
    let token = try roles.token("app")
    let (client, _) = try roles.hello(token)
    client.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
    #expect(try client.answer(2).error == nil)
    client.send(3, .request(.begin(.write)))
    #expect(try client.answer(3).error == nil)
    try roles.tokens.revoke(String(token.dropFirst(4).prefix(12)))
    try roles.reload()
    #expect(try client.receive().parts == [.closing(DrainCause.identityEnded.sentence)])
    client.send(4, .execute(.init(source: .statement(RoleServer.insert.bytes), transaction: 3)))
    #expect(try client.answer(4).error?.reason == .permission)
    client.send(5, .request(.inspect(shapes: 1, sessions: 1)))
    #expect(try client.answer(5).error?.reason == .permission)
    client.send(6, .request(.finish(transaction: 3, commit: true)))
    #expect(try client.answer(6).error == nil)
    #expect(try client.receiveUntilClosed().isEmpty)
  }

  @Test func `the first roles hold for those who were there before them, whether they had said hello or not`() throws {
    let live = try LiveServer(loops: 1)
    let client = try live.connect("shop")
    client.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
    #expect(try client.answer(2).error == nil)
    let silent = try RawClient(live.tcp)
    silent.send([0])
    let other = try live.connect("other")
    var policy = AccessPolicy()
    policy.roles["reader"] = Role(name: "reader", databases: [DatabasePattern("shop")!], permissions: [.select])
    policy.others = .role("reader")
    try live.server.reload(access: policy, tls: nil)
    #expect(try other.receiveUntilClosed().first?.parts == [.closing(DrainCause.databaseTaken.sentence)])
    client.send(3, .execute(.init(source: .statement(RoleServer.insert.bytes))))
    #expect(try client.answer(3).error?.reason == .permission)
    client.send(4, .execute(.init(source: .statement(RoleServer.read.bytes))))
    #expect(try client.answer(4).error == nil)
    policy.others = .refused
    try live.server.reload(access: policy, tls: nil)
    #expect(try client.receiveUntilClosed().first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    silent.send(Array(silent.bytes(1, .hello(.init(database: "shop"))).dropFirst()))
    #expect(try silent.receive().parts.first == .error(RequestError.unknownIdentity))
  }

  @Test func `a file of tokens that others can read, or that has gone, changes nothing at a reload`() throws {
    let roles = try RoleServer([RoleServer.admin])
    let token = try roles.token("admin")
    let path = roles.policy.tokensFile ?? ""
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(throws: ServerError.self) { try roles.reload() }
    try FileManager.default.removeItem(atPath: path)
    #expect(throws: ServerError("There is no file \(path). `martlet token create` makes it with the first token.")) {
      try roles.reload()
    }
    #expect(try roles.hello(token).1 == nil)
  }
}
