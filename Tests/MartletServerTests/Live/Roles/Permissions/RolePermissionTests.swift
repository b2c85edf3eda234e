/// What a role may do: each kind of statement and of schema change, pragmas, and everything that is no statement.
import Foundation
import MartletAST
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite(.serialized) struct RolePermissionTests {
  @Test func `each kind of statement needs its permission, alone, in a batch, in a transaction, by shape, again`()
    throws
  {
    let kinds: [(Permissions, ASTStatement)] = [
      (.select, RoleServer.read), (.insert, RoleServer.insert), (.update, RoleServer.update),
      (.delete, RoleServer.delete),
      (
        .schema,
        ASTStatement.createIndex("i", on: "t", [ASTIndexedColumn.column("a")]) { $0.ifNotExists = true }
      ), (.raw, .raw("SELECT 1")),
    ]
    let roles = try RoleServer(
      kinds.map { Role(name: "no\($0.0.rawValue)", permissions: Permissions.all.subtracting($0.0)) } + [
        RoleServer.admin
      ])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
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
    let roles = try RoleServer(
      Self.schemaChanges.map { Role(name: word($0.0), permissions: [$0.0, .select, .delete]) } + [RoleServer.admin])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
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
    let roles = try RoleServer([
      RoleServer.admin, Role(name: "plain", permissions: .rows),
      Role(name: "text", permissions: [.rows, .raw, .schema]),
      Role(name: "asks", permissions: [.select, .pragmas]),
    ])
    let (admin, _) = try roles.hello(roles.token("admin"))
    let make: [ClientMessage.Kind] = [
      .execute(.init(source: .statement(RoleServer.make.bytes))),
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

  @Test func `files are looked after as text by who may maintain, with any words, and the server survives them all`()
    throws
  {
    let roles = try RoleServer([
      RoleServer.admin, Role(name: "text", permissions: Permissions.all.subtracting(.maintain)),
    ])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
    #expect(try admin.answer(2).error == nil)
    let (client, _) = try roles.hello(roles.token("text"), create: false)
    let beginnings = ["", ";", String(repeating: ";", count: 9), "\u{FEFF} ", "/* ; */ ;-- x\n", ";\u{FEFF};\u{C} "]
    var id: UInt32 = 10
    for verb in ["VACUUM", "vacuum main", "ANALYZE", "ANALYZE t", "REINDEX", "PRAGMA optimize", "pragma main.optimize"]
    {
      for text in beginnings.map({ $0 + verb }) {
        id += 1
        client.send(id, .raw(text))
        let error = try client.answer(id).error
        #expect(error?.message.contains("denied it 'maintain'") == true, "\(text): \(String(describing: error))")
        admin.send(id, .raw(text))
        #expect(try admin.answer(id).error == nil, "\(text)")
        // Now that somebody has run it, its plan is known.
        client.send(id, .raw(text))
        #expect(try client.answer(id).error?.reason == .permission, "\(text)")
      }
    }
    for text in beginnings.map({ $0 + "VACUUM INTO 'copy'" }) {
      id += 1
      admin.send(id, .raw(text))
      #expect(try admin.answer(id).error?.message.contains("VACUUM INTO") == true, "\(text)")
    }
  }

  @Test func `a reader holds no writer, and makes, drops, renames, checks and inspects nothing`() throws {
    let roles = try RoleServer([RoleServer.admin, Role(name: "reader", permissions: [.select])])
    let (admin, _) = try roles.hello(roles.token("admin"))
    admin.send(2, .execute(.init(source: .statement(RoleServer.make.bytes))))
    #expect(try admin.answer(2).error == nil)
    let token = try roles.token("reader")
    #expect(try roles.hello(token, "new").1?.reason == .permission)
    let (reader, refused) = try roles.hello(token, create: false)
    #expect(refused == nil)
    let requests: [(ClientMessage.Request, denied: String)] = [
      (.begin(.write), "insert"), (.inspect(shapes: 1, sessions: 1), "inspect"),
      (.administer(.list(after: "")), "inspect"), (.administer(.create("x")), "create"),
      (.administer(.drop("shop", endsSessions: true)), "drop"),
      (.administer(.rename("shop", to: "x", endsSessions: true)), "drop"), (.maintain(.check), "maintain"),
      (.maintain(.unfence), "maintain"),
    ]
    for (index, (request, denied)) in requests.enumerated() {
      let id = UInt32(10 + index)
      reader.send(id, .request(request))
      let error = try reader.answer(id).error
      #expect(error?.reason == .permission, "\(request)")
      #expect(error?.message.contains("denied it '\(denied)'") == true, "\(String(describing: error))")
    }
    reader.send(2, .execute(.init(source: .statement(RoleServer.read.bytes))))
    #expect(try reader.answer(2).error == nil)
  }
}
