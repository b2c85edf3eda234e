/// A server with roles over a real socket: who shows what, and what comes of it.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RoleTests {
  /// Each role's token, on a server where nobody else may come.
  private struct Roles {
    let live: LiveServer
    let tokens: TokenFile
    let policy: AccessPolicy

    init(_ roles: [Role], others: AccessPolicy.Others = .refused) throws {
      var policy = AccessPolicy()
      for role in roles { policy.roles[role.name] = role }
      policy.others = others
      var path = ""
      var limits = Limits()
      // Longer than the token whose end a test waits for.
      limits.transactionIdleMs = 30_000
      live = try LiveServer(limits: limits, loops: 1) { configuration, folder in
        path = folder + "/tokens"
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        policy.tokensFile = path
        configuration.access = policy
      }
      tokens = TokenFile(path: path)
      self.policy = policy
    }

    func token(_ role: String, expires: Date? = nil) throws -> String {
      let token = try tokens.create(role: role, name: role, expires: expires).text
      try live.server.reload(access: policy, tls: nil)
      return token
    }

    func reload(_ change: (inout AccessPolicy) -> Void = { _ in }) throws {
      var changed = policy
      change(&changed)
      try live.server.reload(access: changed, tls: nil)
    }

    /// What the hello is answered with; the connection stays open where it is taken.
    func hello(_ token: String, _ database: String = "shop", create: Bool = true) throws -> (RawClient, RequestError?) {
      let client = try RawClient(live.tcp)
      client.send(1, .hello(.init(database: database, create: create, credential: token)))
      if case .error(let error)? = try client.receive().parts.first { return (client, error) }
      return (client, nil)
    }
  }

  private static let read = ASTStatement.select {
    $0.columns = [.expression(.column("a"))]
    $0.from = .table("t")
  }
  private static let insert = ASTStatement.insert(into: "t", ["a"]) { $0.values = .rows([[.literal(Int64(1))]]) }
  private static let update = ASTStatement.update("t") { $0.assignments = [.set("a", .literal(Int64(2)))] }
  private static let delete = ASTStatement.delete(from: "t")
  private static let make = ASTStatement.createTable("t", [.column("a")])

  private static let admin = Role(name: "admin", permissions: .all)

  @Test func `a token is asked for, and everything that is none is refused in one sentence after the same time`() throws
  {
    let roles = try Roles([Self.admin])
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

  @Test func `each kind of statement needs its permission, alone, in a batch, in a transaction, by shape, again`()
    throws
  {
    let kinds: [(Permissions, ASTStatement)] = [
      (.select, Self.read), (.insert, Self.insert), (.update, Self.update), (.delete, Self.delete),
      (
        .schema,
        ASTStatement.createIndex("i", on: "t", [ASTIndexedColumn.column("a")]) { $0.ifNotExists = true }
      ), (.raw, .raw("SELECT 1")),
    ]
    let roles = try Roles(
      kinds.map { Role(name: "no\($0.0.rawValue)", permissions: Permissions.all.subtracting($0.0)) } + [Self.admin])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(Self.make.bytes))))
    #expect(try admin.answer(2).error == nil)
    for (missing, tree) in kinds {
      let (client, refused) = try roles.hello(roles.token("no\(missing.rawValue)"))
      #expect(refused == nil)
      let bytes = tree.bytes
      // The shape is known, because somebody who may has run it.
      admin.send(3, .execute(.init(source: .statement(bytes))))
      #expect(try admin.answer(3).error == nil)
      var id: UInt32 = 10
      for source in [StatementSource.statement(bytes), .shape(bytes.withUnsafeBytes { ShapeID(hashing: $0) })] {
        for _ in 0..<2 {
          id += 10
          client.send(id, .execute(.init(source: source)))
          let alone = try client.answer(id).error
          #expect(alone?.reason == .permission, "\(missing.rawValue): \(String(describing: alone))")
          client.send(id + 1, .batch(.init(steps: [.init(source: source)], isAtomic: true)))
          #expect(try client.answer(id + 1).error?.reason == .permission)
          client.send(id + 2, .begin(.write))
          #expect(try client.answer(id + 2).error == nil)
          client.send(id + 3, .execute(.init(source: source, transaction: id + 2)))
          #expect(try client.answer(id + 3).error?.reason == .permission)
          client.send(id + 4, .finish(transaction: id + 2, commit: true))
          _ = try client.answer(id + 4)
        }
      }
    }
  }

  private static let schemaChanges: [(Permissions, ASTStatement)] = [
    (.createTable, .createTable("u", [.column("a")])),
    (.alterTable, .alterTable("u") { $0.addColumn = .column("b") }),
    (.createIndex, .createIndex("i", on: "u", [ASTIndexedColumn.column("a")])),
    (.createView, .createView("v", .select { $0.columns = [.expression(.literal(Int64(1)))] })),
    (.createTrigger, .createTrigger("x", .after, .insert, on: "u", [.delete(from: "u")])),
    (.dropTrigger, .drop(.trigger, "x")), (.dropView, .drop(.view, "v")), (.dropIndex, .drop(.index, "i")),
    (.dropTable, .drop(.table, "u")),
  ]

  @Test func `each kind of schema change is allowed by its own word, and by no other`() throws {
    let word = { (permission: Permissions) in permission.words[0] }
    let roles = try Roles(
      Self.schemaChanges.map { Role(name: word($0.0), permissions: [$0.0, .select, .delete]) } + [Self.admin])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(Self.make.bytes))))
    #expect(try admin.answer(2).error == nil)
    var clients: [(Permissions, RawClient)] = []
    for (permission, _) in Self.schemaChanges {
      let (client, refused) = try roles.hello(roles.token(word(permission)))
      #expect(refused == nil)
      clients.append((permission, client))
    }
    for (index, (needed, tree)) in Self.schemaChanges.enumerated() {
      let id = UInt32(10 + index)
      for (permission, client) in clients where permission != needed {
        client.send(id, .execute(.init(source: .statement(tree.bytes))))
        let error = try client.answer(id).error
        #expect(error?.reason == .permission, "\(word(permission)) and \(word(needed))")
        #expect(error?.message.contains("denied it '\(word(needed))'") == true, "\(String(describing: error))")
      }
      guard let own = clients.first(where: { $0.0 == needed })?.1 else { continue }
      own.send(id, .execute(.init(source: .statement(tree.bytes))))
      #expect(try own.answer(id).error == nil, "\(word(needed))")
    }
  }

  @Test func `pragmas are asked by who is allowed them, and by nobody else with any words`() throws {
    let roles = try Roles([
      Self.admin, Role(name: "plain", permissions: .rows), Role(name: "text", permissions: [.rows, .raw, .schema]),
      Role(name: "asks", permissions: [.select, .pragmas]),
    ])
    let (admin, _) = try roles.hello(roles.token("admin"))
    let make: [ClientMessage.Kind] = [
      .execute(.init(source: .statement(Self.make.bytes))),
      .raw("CREATE VIEW v AS SELECT name FROM pragma_table_info('t')"),
      .raw("PRAGMA user_version"),
    ]
    for (index, request) in make.enumerated() {
      admin.send(UInt32(2 + index), request)
      #expect(try admin.answer(UInt32(2 + index)).error == nil)
    }
    let tree = ASTStatement.select {
      $0.columns = [.expression(.column("name"))]
      $0.from = .function("pragma_table_info", [.literal("t")])
    }
    let asking: [ClientMessage.Kind] = [
      .execute(.init(source: .statement(tree.bytes))), .raw("PRAGMA user_version"), .raw("PRAGMA user_version=7"),
      .raw("SELECT * FROM \"pragma_TABLE_info\"('t')"), .raw("CREATE VIEW w AS SELECT * FROM pragma_table_list"),
      .raw("EXPLAIN PRAGMA table_info(t)"),
    ]
    for name in ["plain", "text"] {
      let (client, _) = try roles.hello(roles.token(name), create: false)
      for (index, request) in asking.enumerated() {
        client.send(UInt32(10 + index), request)
        let error = try client.answer(UInt32(10 + index)).error
        #expect(error?.reason == .permission, "\(name) \(index)")
        if name == "text" || index == 0 {
          #expect(error?.message.contains("denied it 'pragmas'") == true, "\(String(describing: error))")
        }
      }
      // A view acts in the name of who made it.
      let view = ASTStatement.select {
        $0.columns = [.expression(.column("name"))]
        $0.from = .table("v")
      }
      client.send(30, .execute(.init(source: .statement(view.bytes))))
      #expect(try client.answer(30).error == nil)
    }
    let (asks, _) = try roles.hello(roles.token("asks"), create: false)
    asks.send(10, asking[0])
    #expect(try asks.answer(10).error == nil)
    asks.send(11, asking[1])
    #expect(try asks.answer(11).error?.message.contains("denied it 'raw'") == true)
  }

  @Test func `a reader holds no writer, and makes, drops, renames, checks and inspects nothing`() throws {
    let roles = try Roles([Self.admin, Role(name: "reader", permissions: [.select])])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(Self.make.bytes))))
    #expect(try admin.answer(2).error == nil)
    let token = try roles.token("reader")
    #expect(try roles.hello(token, "new").1?.reason == .permission)
    let (reader, refused) = try roles.hello(token, create: false)
    #expect(refused == nil)
    let requests: [ClientMessage.Request] = [
      .begin(.write), .inspect(shapes: 1, sessions: 1), .administer(.list(after: "")), .administer(.create("x")),
      .administer(.drop("shop", endsSessions: true)), .administer(.rename("shop", to: "x", endsSessions: true)),
      .maintain(.check), .maintain(.unfence),
    ]
    for (index, request) in requests.enumerated() {
      let id = UInt32(10 + index)
      reader.send(id, .request(request))
      #expect(try reader.answer(id).error?.reason == .permission, "\(request)")
    }
    reader.send(2, .execute(.init(source: .statement(Self.read.bytes))))
    #expect(try reader.answer(2).error == nil)
  }

  @Test func `a role has its databases, and learns of no other whether it exists`() throws {
    let tenant = Role(name: "tenant", databases: ["shop", "t-*"].compactMap { DatabasePattern($0) }, permissions: .all)
    let roles = try Roles([Self.admin, tenant])
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

  @Test
  func
    `a reload changes what sessions may do, and ends those that may not be here any more`()
    throws
  {
    let roles = try Roles([Self.admin, Role(name: "app", permissions: .rows)])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(Self.make.bytes))))
    #expect(try admin.answer(2).error == nil)
    let token = try roles.token("app")
    let (app, _) = try roles.hello(token, create: false)
    func run(_ id: UInt32) throws -> RequestError? {
      app.send(id, .execute(.init(source: .statement(Self.insert.bytes))))
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
    #expect(last.first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    try roles.reload()
    let (again, taken) = try roles.hello(token, create: false)
    #expect(taken == nil)
    let id = String(token.dropFirst(4).prefix(12))
    try roles.tokens.revoke(id)
    try roles.reload()
    #expect(try again.receiveUntilClosed().first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    #expect(try roles.hello(token, create: false).1 == RequestError.unknownIdentity)
    admin.send(9, .execute(.init(source: .statement(Self.read.bytes))))
    #expect(try admin.answer(9).error == nil)
  }

  @Test func `a reload without a change ends nobody, and one that takes away what a setup does ends whoever has it`()
    throws
  {
    let shop = Role(
      name: "shop", databases: ["shop"].compactMap { DatabasePattern($0) }, permissions: [.rows, .inspect])
    let roles = try Roles([Self.admin, shop])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(Self.make.bytes))))
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
    #expect(try client.receiveUntilClosed().first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    server.send(3, .request(.ping()))
    #expect(try server.receive().parts.first == .pong([]))
  }

  @Test func `whoever inspects the server sees what is of his own databases`() throws {
    let shop = Role(name: "shop", databases: ["shop"].compactMap { DatabasePattern($0) }, permissions: .all)
    let roles = try Roles([Self.admin, shop])
    let admin = try roles.token("admin")
    for name in ["shop", "secret"] {
      let (client, _) = try roles.hello(admin, name)
      client.send(2, .execute(.init(source: .statement(Self.make.bytes))))
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
    let roles = try Roles([Self.admin, watcher])
    let admin = try roles.token("admin")
    var open: [RawClient] = []
    for name in ["shop", "secret"] {
      let (client, _) = try roles.hello(admin, name)
      client.send(2, .execute(.init(source: .statement(Self.make.bytes))))
      #expect(try client.answer(2).error == nil)
      open.append(client)
    }
    let (own, _) = try roles.hello(roles.token("watcher"), "secret", create: false)
    own.send(2, .execute(.init(source: .statement(Self.read.bytes))))
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

  @Test func `whoever is revoked may end what he began, and do nothing more in it`() throws {
    let roles = try Roles([Self.admin, Role(name: "app", permissions: .all)])
    let token = try roles.token("app")
    let (client, _) = try roles.hello(token)
    client.send(2, .execute(.init(source: .statement(Self.make.bytes))))
    #expect(try client.answer(2).error == nil)
    client.send(3, .request(.begin(.write)))
    #expect(try client.answer(3).error == nil)
    try roles.tokens.revoke(String(token.dropFirst(4).prefix(12)))
    try roles.reload()
    #expect(try client.receive().parts == [.closing(DrainCause.identityEnded.sentence)])
    client.send(4, .execute(.init(source: .statement(Self.insert.bytes), transaction: 3)))
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
    client.send(2, .execute(.init(source: .statement(Self.make.bytes))))
    #expect(try client.answer(2).error == nil)
    let silent = try RawClient(live.tcp)
    silent.send([0])
    let other = try live.connect("other")
    var policy = AccessPolicy()
    policy.roles["reader"] = Role(name: "reader", databases: [DatabasePattern("shop")!], permissions: [.select])
    policy.others = .role("reader")
    try live.server.reload(access: policy, tls: nil)
    #expect(try other.receiveUntilClosed().first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    client.send(3, .execute(.init(source: .statement(Self.insert.bytes))))
    #expect(try client.answer(3).error?.reason == .permission)
    client.send(4, .execute(.init(source: .statement(Self.read.bytes))))
    #expect(try client.answer(4).error == nil)
    policy.others = .refused
    try live.server.reload(access: policy, tls: nil)
    #expect(try client.receiveUntilClosed().first?.parts == [.closing(DrainCause.identityEnded.sentence)])
    silent.send(Array(silent.bytes(1, .hello(.init(database: "shop"))).dropFirst()))
    #expect(try silent.receive().parts.first == .error(RequestError.unknownIdentity))
  }

  @Test func `a file of tokens that others can read, or that has gone, changes nothing at a reload`() throws {
    let roles = try Roles([Self.admin])
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

  @Test func `a session ends with its token's time, and what is in flight ends first`() throws {
    let roles = try Roles([Self.admin])
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
    client.send(2, .execute(.init(source: .statement(Self.make.bytes))))
    #expect(try client.answer(2).error?.reason == .permission)
    let other = try RawClient(live.tcp)
    other.send(1, .hello(.init(database: "shop")))
    #expect(try other.receive().parts.first == .error(RequestError.unknownIdentity))
  }
}
