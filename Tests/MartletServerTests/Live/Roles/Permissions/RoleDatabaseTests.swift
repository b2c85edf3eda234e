/// A role sees its own databases, and nothing of the others: neither whether they exist nor who uses them.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RoleDatabaseTests {
  @Test func `a role has its databases, and learns of no other whether it exists`() throws {
    let tenant = Role(name: "tenant", databases: ["shop", "t-*"].compactMap { DatabasePattern($0) }, permissions: .all)
    let roles = try RoleServer([RoleServer.admin, tenant])
    let admin = try roles.token("admin")
    for name in ["shop", "secret", "t-1"] { #expect(try roles.hello(admin, name).1 == nil) }
    let token = try roles.token("tenant")
    #expect(try roles.hello(token, "t-1").1 == nil)
    let (existing, missing) = (try roles.hello(token, "secret").1, try roles.hello(token, "none", create: false).1)
    #expect(existing?.reason == .permission && existing == missing)
    let (client, _) = try roles.hello(token)
    for (index, name) in ["secret", "none"].enumerated() {
      let tasks: [Administration] = [
        .create(name), .drop(name, endsSessions: true), .rename(name, to: "t-2", endsSessions: true),
        .rename("t-1", to: name, endsSessions: true),
      ]
      for (offset, task) in tasks.enumerated() {
        let id = UInt32(10 + 10 * index + offset)
        client.send(id, .request(.administer(task)))
        #expect(try client.answer(id).error == existing, "\(task)")
      }
    }
    client.send(40, .request(.administer(.list(after: ""))))
    guard case .databases(let list)? = try client.receive().parts.first else {
      Issue.record("no list")
      return
    }
    #expect(list.entries.map(\.name) == ["shop", "t-1"])
  }

  @Test func `whoever inspects the server sees what is of his own databases`() throws {
    let shop = Role(name: "shop", databases: ["shop"].compactMap { DatabasePattern($0) }, permissions: .all)
    let roles = try RoleServer([RoleServer.admin, shop])
    let admin = try roles.token("admin")
    for name in ["shop", "secret"] {
      let (client, _) = try roles.hello(admin, name)
      client.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
      #expect(try client.answer(2).error == nil)
    }
    let (other, _) = try roles.hello(admin, "secret")
    let (client, _) = try roles.hello(roles.token("shop"))
    client.send(2, .request(.inspect(shapes: 100, sessions: 100)))
    guard case .inspection(let seen)? = try client.receive().parts.first else {
      Issue.record("no inspection")
      return
    }
    #expect(!seen.shapes.isEmpty && seen.shapes.allSatisfy { $0.database == "shop" })
    #expect(!seen.sessions.isEmpty && seen.sessions.allSatisfy { $0.database == "shop" })
    other.close()
  }

  @Test func `whoever may inspect in one database sees no sessions and shapes of another that he may open`() throws {
    let watcher = Role(
      name: "watcher",
      grants: [
        Grant(databases: [DatabasePattern("shop")].compactMap { $0 }, permissions: [.select, .inspect]),
        Grant(databases: [DatabasePattern("secret")].compactMap { $0 }, permissions: .select),
      ])
    let roles = try RoleServer([RoleServer.admin, watcher])
    let admin = try roles.token("admin")
    var open: [RawClient] = []
    for name in ["shop", "secret"] {
      let (client, _) = try roles.hello(admin, name)
      client.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
      #expect(try client.answer(2).error == nil)
      open.append(client)
    }
    let (own, _) = try roles.hello(roles.token("watcher"), "secret", create: false)
    own.send(2, .execute(.init(source: .statement(RoleServer.read.bytes))))
    #expect(try own.answer(2).error == nil)
    let (client, error) = try roles.hello(roles.token("watcher"), create: false)
    #expect(error == nil)
    client.send(2, .request(.inspect(shapes: 100, sessions: 100)))
    guard case .inspection(let seen)? = try client.receive().parts.first else {
      Issue.record("no inspection")
      return
    }
    #expect(!seen.shapes.isEmpty && seen.shapes.allSatisfy { $0.database == "shop" })
    #expect(seen.sessions.count == 2 && seen.sessions.allSatisfy { $0.database == "shop" }, "\(seen.sessions)")
    for client in open + [own] { client.close() }
  }
}
